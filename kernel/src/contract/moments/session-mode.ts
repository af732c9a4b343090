import {defineHook} from '../hook.js';

declare module '../registry.js' {
  interface Moments {
    'session:mode': {kind: 'transform'; payload: {readonly value: string; readonly from: string}};
  }
}

/** Before a running session changes its mode. A critical listener that throws a KernelError keeps it as it is. */
export const sessionMode = defineHook('session:mode', {
  kind: 'transform',
  description: 'Settles which mode a running session changes to, or keeps it as it is.',
  reserved: true,
  answer: {type: 'string', minLength: 1},
});
