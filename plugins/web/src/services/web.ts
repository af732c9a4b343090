import {lookup} from 'node:dns/promises';
import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Web} from '../contract.js';
import {LiveWeb} from '../live-web.js';

/** Pages of the web, for a session. */
export default provide('web', {
  version: '1.0.0',
  scope: 'session',
  capability: 'net',
  methods: ['fetch'],
  async create({service}): Promise<Web> {
    return new LiveWeb({
      settings: await service('settings'),
      network: await service('network'),
      resolve: (name) => lookup(name, {all: true}),
      now: () => performance.now(),
    });
  },
});
