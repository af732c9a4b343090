import type { SentNotice } from '../notice.js';
declare module '../registry.js' {
  interface Moments {
    'session:notice': {
      kind: 'collect';
      payload: SentNotice;
      answer: 'shown';
    };
  }
}
export declare const sessionNotice: import('../hook.js').Hook<import('../hook.js').HookKind>;
