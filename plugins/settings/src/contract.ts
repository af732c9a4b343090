import type {DeclaredSetting, JSONSchema, Setting} from '@gemini-kernel/kernel';

/** Where a value comes from, weakest first. */
/** `bundle` and `enforced` are what bundles in force say, below and above everybody else. */
export type Layer =
  'default' | 'bundle' | 'system-defaults' | 'user' | 'workspace' | 'system' | 'environment' | 'flag' | 'enforced';

/** What one layer says about a key. */
export interface LayerValue {
  readonly layer: Layer;
  /** The file, the variable or the flag it stands in. */
  readonly source?: string;
  /** Expanded (`$VAR`), before merging. */
  readonly value: unknown;
  /**
   * Only an administrator, or who made the product, can have written it: the system's settings, and what their bundles
   * enforce.
   */
  readonly managed?: true;
}

export interface Explanation {
  readonly key: string;
  readonly value: unknown;
  /** The layers that say something, weakest first. Lists that merge have several winners: the last is the strongest. */
  readonly layers: readonly LayerValue[];
  readonly winner: Layer | undefined;
  readonly merge: 'replace' | 'concat' | 'union' | 'deep' | 'shallow';
  readonly description?: string;
  readonly type?: string;
  /** The plugin that declares it, and the heading it is listed under. */
  readonly plugin?: string;
  readonly category?: string;
  /** Its values are replaced by `[redacted]` here; only `get` and `value` give them. */
  readonly secret?: true;
}

/** Something that a file or a bundle says and that does not count as it was meant. */
export interface SettingFault {
  /** The file, or the bundle. */
  readonly source: string;
  readonly key: string;
  /** `misfit`: the value is not what the key takes. `unknown`: neither the product nor a plugin has the key. */
  readonly problem: 'misfit' | 'unknown';
  readonly sentence: string;
  /** The known key that is meant, when one is close. */
  readonly nearest?: string;
}

/** Layered settings. Keys are dotted: `context.includeDirectories`. */
export interface Settings {
  /** The merged value, or undefined. */
  get(key: string): Promise<unknown>;
  /**
   * The merged value of a setting that a plugin declares, with the type that it declares: what does not fit is left
   * out, and without a value it is the default. `apart`: without what the project says.
   */
  value<V>(setting: Setting<V>, options?: {readonly apart?: boolean}): Promise<V>;
  /** The value as it is without what the project says: for what decides whether the project has a say. */
  getApart(key: string): Promise<unknown>;
  /** What the managed layers alone say: nothing that a person or a project can name takes it back. */
  getManaged(key: string): Promise<unknown>;
  explain(key: string): Promise<Explanation>;
  /** Every key that a layer other than `default` sets, and with `all` every known key. */
  list(options?: {readonly all?: boolean}): Promise<readonly Explanation[]>;
  /** The settings that plugins declare and that count. */
  declared(): Promise<readonly DeclaredSetting[]>;
  /** The JSON Schema of every setting there is here, those of plugins included. */
  schema(): Promise<JSONSchema>;
  /** What files and bundles say that does not fit, or that nothing here has. */
  check(): Promise<readonly SettingFault[]>;
  /** Writes one key into the user's or the project's file, keeping comments and order; undefined removes it. */
  set(key: string, value: unknown, options: {readonly scope: 'user' | 'project'}): Promise<{readonly path: string}>;
  /** Adds values at the end of a list in one file; what stands there stays as it is written. */
  append(
    key: string,
    values: readonly unknown[],
    options: {readonly scope: 'user' | 'project'},
  ): Promise<{readonly path: string}>;
  /**
   * Removes texts from a list in one file, each named with its variables expanded; everything else stays as it is
   * written.
   */
  remove(
    key: string,
    values: readonly string[],
    options: {readonly scope: 'user' | 'project'},
  ): Promise<{readonly path: string}>;
}

/** Text files that the product keeps for people: read and written with the same care as settings. */
export interface ConfigFiles {
  /** Undefined when there is no such file. Throws KernelError SETTINGS_UNREADABLE. */
  read(path: string): Promise<string | undefined>;
  /** Writes the file, for its owner only, if it still holds what the caller saw (`before`); says whether it did. */
  replace(path: string, before: string | undefined, after: string): Promise<boolean>;
  /**
   * The object in a JSON file of the person's, comments allowed; undefined when there is none. Throws KernelError
   * SETTINGS_BROKEN with the place, and SETTINGS_UNSAFE when someone else may have written it.
   */
  readJSON(path: string): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Sets one key of such an object, keeping comments and order; undefined removes it. */
  setJSON(path: string, key: readonly string[], value: unknown): Promise<void>;
  /** On Windows: why someone other than an administrator may have changed a file or folder, or undefined. */
  findAccessFault(path: string, subject: 'file' | 'directory'): Promise<string | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    settings: Settings;
    'config-files': ConfigFiles;
  }
  interface Moments {
    /** Whether the settings that the project brings count. Not asked when there are none. */
    'settings:project': {kind: 'gate'; payload: {readonly file: string}};
  }
}
