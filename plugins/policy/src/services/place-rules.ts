import {provide} from '@gemini-kernel/kernel';
import type {PlaceRules} from '../contract.js';
import type {LoadedPolicy} from '../load-policy.js';

/**
 * The rules that sessions of a place have read, for the agents that they call: these are judged by the same rules, and
 * not by files that changed meanwhile. Agents that work elsewhere read the rules of that place.
 */
export default provide('place-rules', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  local: true,
  create(): PlaceRules {
    const read = new Map<string, LoadedPolicy>();
    return {
      keep: (session, policy) => void read.set(session, policy),
      of: (session) => read.get(session),
      end: (session) => void read.delete(session),
    };
  },
});
