import {defineHook} from '../hook.js';
import type {Touch} from '../tool-call.js';

/** A plugin needs what it declares as optional. */
export interface CapabilityWish {
  readonly plugin: string;
  /** As it declares it. */
  readonly capability: string;
  /** The call that needs it, and for what. */
  readonly call: string;
  readonly tool: string;
  readonly touch: Touch;
}

declare module '../registry.js' {
  interface Moments {
    'capability:ask': {kind: 'race'; payload: CapabilityWish; answer: {readonly granted: boolean}};
  }
}

/** Before a call of an installed plugin runs, once for each optional capability that it needs. */
export const capabilityAsk = defineHook('capability:ask', {
  kind: 'race',
  description: 'Asks whether a plugin gets an optional capability. Without an answer it does not.',
  timeoutMs: 0,
  reserved: true,
  answer: {type: 'object', required: ['granted'], properties: {granted: {type: 'boolean'}}},
});
