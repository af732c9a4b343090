import type { SessionInfo } from '../session.js';
declare module '../registry.js' {
  interface Moments {
    'session:close': {
      kind: 'notify';
      payload: SessionInfo;
    };
  }
}
export declare const sessionClose: import('../hook.js').Hook<import('../hook.js').HookKind>;
