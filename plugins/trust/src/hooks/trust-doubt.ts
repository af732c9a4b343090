import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/**
 * Asked once, when a folder that would be trusted is first asked about, and again when a plugin says that it stands
 * differently.
 */
export default defineHook('trust:doubt', {
  kind: 'gate',
  description: 'Does a plugin have a reason not to trust this folder?',
  unanswered: {decision: 'allow', reason: 'No plugin doubts it.'},
});
