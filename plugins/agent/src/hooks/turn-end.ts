import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Runs when the model has stopped. */
export default defineHook('turn:end', {
  kind: 'gate',
  description: 'May ask the model to continue; the reason of a deny goes to the model.',
  timeoutMs: 60_000,
  filters: ['mode'],
  unanswered: {decision: 'allow', reason: 'No listener asks for more.'},
});
