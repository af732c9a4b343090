import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** When the model has stopped. */
export default defineHook('turn:end', {
  kind: 'gate',
  description: 'May ask for one more round; the reason of a deny is what the model is told.',
  timeoutMs: 60_000,
  filters: ['mode'],
  unanswered: {decision: 'allow', reason: 'Nobody asks for more.'},
});
