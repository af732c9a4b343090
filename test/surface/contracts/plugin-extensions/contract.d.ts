import type { Provenance } from '@gemini-kernel/admission';
export type UnusedReason = 'admin' | 'broken' | 'changed' | 'disabled' | 'expired' | 'frozen' | 'not-chosen' | 'unsafe';
export interface Brought {
  readonly contextFiles: readonly string[];
  readonly servers: readonly {
    readonly name: string;
    readonly target: string;
  }[];
  readonly excludedTools: readonly string[];
  readonly commands: readonly string[];
  readonly skills: readonly string[];
  readonly hooks: readonly {
    readonly event: string;
    readonly command: string;
  }[];
  readonly policies: readonly string[];
  readonly themes: readonly string[];
  readonly planFolder?: string;
  readonly agents: readonly string[];
  readonly settings: readonly ExtensionSetting[];
  readonly variables: readonly string[];
}
export interface ExtensionSetting {
  readonly name: string;
  readonly description: string;
  readonly envVar: string;
  readonly isSecret: boolean;
}
export interface ExtensionTheme {
  readonly name: string;
  readonly colours: Readonly<Record<string, unknown>>;
}
export interface ExtensionSource {
  readonly type: 'archive' | 'bundle' | 'folder' | 'git' | 'github-release' | 'link' | 'npm' | 'unknown';
  readonly location: string;
  readonly ref?: string;
  readonly commit?: string;
  readonly version?: string;
  readonly tag?: string;
  readonly asset?: string;
  readonly preRelease?: true;
  readonly integrity?: string;
  readonly built?: Provenance;
}
export interface ExtensionInfo {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly folder: string;
  readonly source: ExtensionSource;
  readonly state: 'bundled' | 'linked' | 'locked' | 'unlocked';
  readonly isManaged?: true;
  readonly brings?: Brought;
  readonly unused?: {
    readonly reason: UnusedReason;
    readonly sentence: string;
  };
}
export interface ActiveExtension {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly isManaged?: true;
  readonly contextFiles: readonly string[];
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly excludedTools: readonly string[];
  readonly themes: readonly ExtensionTheme[];
  readonly themeFaults: readonly string[];
  readonly planFolder?: string;
  readonly planFault?: string;
  readonly values: Readonly<Record<string, string>>;
}
export interface Extensions {
  list(): Promise<readonly ExtensionInfo[]>;
  active(): Promise<readonly ActiveExtension[]>;
}
export interface ExtensionUpdates {
  settled(): Promise<void>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    extensions: Extensions;
    'extension-updates': ExtensionUpdates;
  }
}
