import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** A confined program asked for a host. */
export default defineHook('sandbox:connection', {
  kind: 'notify',
  description: 'A confined program connected to a host, or was not let to.',
});
