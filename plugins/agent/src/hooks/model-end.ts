import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs after every request to a model, however it ended. */
export default defineHook('model:end', {
  kind: 'notify',
  description: 'A request to a model is over: how long it took, and what it used.',
});
