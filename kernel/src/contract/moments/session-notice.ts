import {defineHook} from '../hook.js';
import type {SentNotice} from '../notice.js';

declare module '../registry.js' {
  interface Moments {
    'session:notice': {kind: 'collect'; payload: SentNotice; answer: 'shown'};
  }
}

/**
 * A plugin or the kernel has something to tell. A listener that put it before the person answers `shown`; when none
 * did, the host prints it.
 */
export const sessionNotice = defineHook('session:notice', {
  kind: 'collect',
  description: 'There is something to tell that does not stop the work.',
  timeoutMs: 2000,
  filters: ['mode'],
  answer: {enum: ['shown']},
});
