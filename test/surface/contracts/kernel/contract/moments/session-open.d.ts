import type { SessionInfo } from '../session.js';
declare module '../registry.js' {
  interface Moments {
    'session:open': {
      kind: 'notify';
      payload: SessionInfo;
    };
  }
}
export declare const sessionOpen: import('../hook.js').Hook<import('../hook.js').HookKind>;
