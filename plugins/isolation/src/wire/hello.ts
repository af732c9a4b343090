import {createHash} from 'node:crypto';
import type {Watching} from './watched.js';

/** Changes when one side would not understand the other. Both come with one version of the product. */
export const PROTOCOL = 1;

/** The first request: who the two are, before any code of the plugin runs. */
export interface Hello {
  readonly protocol: number;
  /** The folder of the plugin. */
  readonly root: string;
  /** What `digestOf` gives for the manifest that gemini admitted. */
  readonly manifest: string;
  /** The folder of the files that a lock vouches for, and path and sha256 of each. */
  readonly tree?: {readonly root: string; readonly digests: readonly (readonly [string, string])[]};
  /** What it needs to say what the plugin uses. */
  readonly watching?: Watching;
}

/** A digest of JSON, whatever the order of its keys. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, (_, one: unknown) => sorted(one)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
