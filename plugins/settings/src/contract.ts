import type {} from '@gemini-kernel/kernel';

/** Where a value comes from, weakest first. */
export type Layer = 'default' | 'system-defaults' | 'user' | 'workspace' | 'system' | 'environment' | 'flag';

/** What one layer says about a key. */
export interface LayerValue {
  readonly layer: Layer;
  /** The file, the variable or the flag it stands in. */
  readonly source?: string;
  /** Expanded (`$VAR`), before merging. */
  readonly value: unknown;
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
}

/** Layered settings. Keys are dotted: `context.includeDirectories`. */
export interface Settings {
  /** The merged value, or undefined. */
  get(key: string): Promise<unknown>;
  explain(key: string): Promise<Explanation>;
  /** Every key that a layer other than `default` sets, and with `all` every known key. */
  list(options?: {readonly all?: boolean}): Promise<readonly Explanation[]>;
  /** Writes one key into the user's or the project's file, keeping comments and order; undefined removes it. */
  set(key: string, value: unknown, options: {readonly scope: 'user' | 'project'}): Promise<{readonly path: string}>;
  /** Adds values at the end of a list in one file; what stands there stays as it is written. */
  append(key: string, values: readonly unknown[], options: {readonly scope: 'user' | 'project'}): Promise<{readonly path: string}>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    settings: Settings;
  }
}
