import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Finder} from '../contract.js';
import {LiveFinder} from '../search/live-finder.js';

/** Searches of the web, for a session. */
export default provide('finder', {
  version: '1.0.0',
  scope: 'session',
  capability: 'net',
  methods: ['missing', 'search'],
  async create(context): Promise<Finder> {
    return new LiveFinder({
      context,
      settings: await context.service('settings'),
      network: () => context.service('network'),
    });
  },
  async describe(finder) {
    const missing = await finder.missing();
    return missing === undefined ? 'google_web_search is offered.' : `google_web_search is not offered: ${missing}`;
  },
});
