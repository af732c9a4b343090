import type { DeclaredSetting, JSONSchema, Setting } from '@gemini-kernel/kernel';
export type Layer =
  'default' | 'bundle' | 'system-defaults' | 'user' | 'workspace' | 'system' | 'environment' | 'flag' | 'enforced';
export interface LayerValue {
  readonly layer: Layer;
  readonly source?: string;
  readonly value: unknown;
  readonly managed?: true;
}
export interface Explanation {
  readonly key: string;
  readonly value: unknown;
  readonly layers: readonly LayerValue[];
  readonly winner: Layer | undefined;
  readonly merge: 'replace' | 'concat' | 'union' | 'deep' | 'shallow';
  readonly description?: string;
  readonly type?: string;
  readonly plugin?: string;
  readonly category?: string;
  readonly secret?: true;
}
export interface SettingFault {
  readonly source: string;
  readonly key: string;
  readonly problem: 'misfit' | 'unknown';
  readonly sentence: string;
  readonly nearest?: string;
}
export interface Settings {
  get(key: string): Promise<unknown>;
  value<V>(
    setting: Setting<V>,
    options?: {
      readonly apart?: boolean;
    },
  ): Promise<V>;
  getApart(key: string): Promise<unknown>;
  getManaged(key: string): Promise<unknown>;
  explain(key: string): Promise<Explanation>;
  list(options?: { readonly all?: boolean }): Promise<readonly Explanation[]>;
  declared(): Promise<readonly DeclaredSetting[]>;
  schema(): Promise<JSONSchema>;
  check(): Promise<readonly SettingFault[]>;
  set(
    key: string,
    value: unknown,
    options: {
      readonly scope: 'user' | 'project';
    },
  ): Promise<{
    readonly path: string;
  }>;
  append(
    key: string,
    values: readonly unknown[],
    options: {
      readonly scope: 'user' | 'project';
    },
  ): Promise<{
    readonly path: string;
  }>;
  remove(
    key: string,
    values: readonly string[],
    options: {
      readonly scope: 'user' | 'project';
    },
  ): Promise<{
    readonly path: string;
  }>;
}
export interface ConfigFiles {
  read(path: string): Promise<string | undefined>;
  replace(path: string, before: string | undefined, after: string): Promise<boolean>;
  readJSON(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  setJSON(path: string, key: readonly string[], value: unknown): Promise<void>;
  findAccessFault(path: string, subject: 'file' | 'directory'): Promise<string | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    settings: Settings;
    'config-files': ConfigFiles;
  }
  interface Moments {
    'settings:project': {
      kind: 'gate';
      payload: {
        readonly file: string;
      };
    };
  }
}
