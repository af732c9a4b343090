import type { Touch } from '../tool-call.js';
export interface CapabilityWish {
  readonly plugin: string;
  readonly capability: string;
  readonly call: string;
  readonly tool: string;
  readonly touch: Touch;
}
declare module '../registry.js' {
  interface Moments {
    'capability:ask': {
      kind: 'race';
      payload: CapabilityWish;
      answer: {
        readonly granted: boolean;
      };
    };
  }
}
export declare const capabilityAsk: import('../hook.js').Hook<import('../hook.js').HookKind>;
