export type TrustLevel = 'TRUST_FOLDER' | 'TRUST_PARENT' | 'DO_NOT_TRUST';
export type Contribution =
  | 'settings'
  | 'policies'
  | 'env-file'
  | 'context-files'
  | 'commands'
  | 'agents'
  | 'skills'
  | 'hooks'
  | 'mcp-servers'
  | 'extension-servers'
  | 'approval-modes'
  | 'shell-defaults';
export interface TrustRule {
  readonly path: string;
  readonly level: TrustLevel;
}
export interface TrustState {
  readonly folder: string;
  readonly trusted: boolean;
  readonly source: 'variable' | 'doubt' | 'setting' | 'rule' | 'none';
  readonly reason: string;
  readonly rule?: TrustRule;
  readonly isRequired?: true;
}
export interface Trust {
  state(): Promise<TrustState>;
  explain(path: string): Promise<TrustState>;
  may(contribution: Contribution): Promise<boolean>;
  list(): Promise<{
    readonly file: string;
    readonly rules: readonly TrustRule[];
  }>;
  reconsider(): Promise<TrustState>;
  set(
    path: string,
    level: TrustLevel | undefined,
  ): Promise<{
    readonly file: string;
    readonly path: string;
  }>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    trust: Trust;
  }
  interface Moments {
    'trust:doubt': {
      kind: 'gate';
      payload: {
        readonly folder: string;
      };
    };
  }
}
