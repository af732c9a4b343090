import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asked once a prompt has ended, for the list of changed files. */
export default defineHook('changes:collect', {
  kind: 'collect',
  description: 'Reports which files some calls have changed.',
  timeoutMs: 500,
  answer: {type: 'string', minLength: 1},
});
