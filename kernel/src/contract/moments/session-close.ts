import {defineHook} from '../hook.js';
import type {SessionInfo} from '../session.js';

declare module '../registry.js' {
  interface Moments {
    'session:close': {kind: 'notify'; payload: SessionInfo};
  }
}

/** A session ends; its services are disposed right after. */
export const sessionClose = defineHook('session:close', {
  kind: 'notify',
  description: 'A session ends.',
  filters: ['mode'],
});
