export interface SessionStart {
  readonly id: string;
  readonly mode: string;
  readonly requireGuards: boolean;
  readonly parent?: {
    readonly id: string;
    readonly mode: string;
  };
}
declare module '../registry.js' {
  interface Moments {
    'session:begin': {
      kind: 'transform';
      payload: {
        readonly value: SessionStart;
      };
    };
  }
}
export declare const sessionBegin: import('../hook.js').Hook<import('../hook.js').HookKind>;
