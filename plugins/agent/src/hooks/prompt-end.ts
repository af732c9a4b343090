import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs when a prompt has ended, after everything that it changed is recorded. */
export default defineHook('prompt:end', {
  kind: 'notify',
  description: 'A prompt has ended: how, and after how long.',
});
