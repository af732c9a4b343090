import type {} from '@gemini-kernel/kernel';

/** As trustedFolders.json spells it. */
export type TrustLevel = 'TRUST_FOLDER' | 'TRUST_PARENT' | 'DO_NOT_TRUST';

/** What a folder can bring along that acts without being asked for. */
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
  /** As written in the file. */
  readonly path: string;
  readonly level: TrustLevel;
}

/** Whether a folder is trusted, and what decided. */
export interface TrustState {
  readonly folder: string;
  readonly trusted: boolean;
  readonly source: 'variable' | 'doubt' | 'setting' | 'rule' | 'none';
  /** A sentence. */
  readonly reason: string;
  /** The person's rule about the folder, also where something else decided. */
  readonly rule?: TrustRule;
  /** An administrator wants each folder to be trusted by a rule, so that no variable and no flag will do. */
  readonly isRequired?: true;
}

/** Which folders a person trusts. */
export interface Trust {
  /** Of the folder this program was started in. */
  state(): Promise<TrustState>;
  explain(path: string): Promise<TrustState>;
  /** Whether the folder this program was started in may contribute something. */
  may(contribution: Contribution): Promise<boolean>;
  list(): Promise<{readonly file: string; readonly rules: readonly TrustRule[]}>;
  /** Asks again who has doubts; what was read of a folder before stays. Gives how it stands now. */
  reconsider(): Promise<TrustState>;
  /** Keeps a level for a folder; undefined forgets it. */
  set(path: string, level: TrustLevel | undefined): Promise<{readonly file: string; readonly path: string}>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    trust: Trust;
  }
  interface Moments {
    /**
     * Whether a plugin has a reason not to trust the folder, such as an editor that does not. No plugin can make it
     * trusted here.
     */
    'trust:doubt': {kind: 'gate'; payload: {readonly folder: string}};
  }
}
