import {provide, ToolError} from '@gemini-kernel/kernel';
import type {WebSearch} from '@gemini-kernel/plugin-web/contract';
import {ApiOpener} from '../api.js';
import {resolveAlias} from '../known-models.js';

/** A small model is enough to search. */
const SEARCHER = 'flash';

/** Searches with Google, through a model of Gemini. */
export default provide('web-search:gemini', {
  version: '1.0.0',
  scope: 'place',
  capability: 'net',
  methods: ['missing', 'search'],
  create({service}): WebSearch {
    const opener = new ApiOpener(service);
    return {
      async missing() {
        const found = await opener.find();
        return 'failure' in found ? found.failure.message : undefined;
      },
      async search(query, {signal}) {
        const api = await opener.open();
        if ('failure' in api) throw new ToolError('GROUNDING_FAILED', `The search failed: ${api.failure.message}`);
        const {searchGrounded} = await import('../grounded-search.js');
        return searchGrounded(query, {...api, model: resolveAlias(SEARCHER), signal});
      },
    };
  },
});
