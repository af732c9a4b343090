declare module '../registry.js' {
  interface Moments {
    'session:mode': {
      kind: 'transform';
      payload: {
        readonly value: string;
        readonly from: string;
      };
    };
  }
}
export declare const sessionMode: import('../hook.js').Hook<import('../hook.js').HookKind>;
