import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Announced after every run of a hook, those of `hooks test` included. Listeners get a copy and change nothing. */
export default defineHook('hook:end', {
  kind: 'notify',
  description: 'A hook has run: what it got, what it printed, and what that means.',
});
