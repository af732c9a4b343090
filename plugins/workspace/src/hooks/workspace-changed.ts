import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Announced after directories were added; the payload lists all of them, in order. */
export default defineHook('workspace:changed', {
  kind: 'notify',
  description: 'The directories that tools may reach have changed.',
});
