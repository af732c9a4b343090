import {defineHook} from '../hook.js';
import type {SessionInfo} from '../session.js';

declare module '../registry.js' {
  interface Moments {
    'session:open': {kind: 'notify'; payload: SessionInfo};
  }
}

/** A session has begun; its services can be used. */
export const sessionOpen = defineHook('session:open', {
  kind: 'notify',
  description: 'A session has begun.',
  filters: ['mode'],
});
