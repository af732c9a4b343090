declare module '../registry.js' {
  interface Moments {
    'sources:changed': {
      kind: 'notify';
      payload: {
        readonly source: string;
      };
    };
  }
}
export declare const sourcesChanged: import('../hook.js').Hook<import('../hook.js').HookKind>;
