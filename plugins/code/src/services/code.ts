import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-search/contract';
import type {} from '../contract.js';
import {LiveCode} from '../live-code.js';
import type {LiveIndex} from '../table/live-index.js';

/** The code of the workspace, read as code. Nothing is read before the first question. */
export default provide('code', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:read',
  methods: ['outline', 'ranked', 'definitions', 'references', 'implementations', 'similar', 'status'],
  async create({service, signal}) {
    const [index, search] = await Promise.all([service('code-index'), service('search')]);
    // What this plugin gave is what comes back: the service does not travel.
    return new LiveCode({index: index as LiveIndex, search, signal});
  },
});
