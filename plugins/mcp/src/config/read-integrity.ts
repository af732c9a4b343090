import {isTable} from './is-table.js';

/** Files that must have these digests when a server starts, by path: `sha256-` and base64, as npm writes digests. */
export type Integrity = Readonly<Record<string, string>>;

const FORM = /^sha(256|384|512)-[A-Za-z0-9+/]+={0,2}$/;

/** Reads the key `integrity` of a server; a text says what is wrong with it. */
export function readIntegrity(value: unknown): Integrity | string | undefined {
  if (value === undefined) return undefined;
  if (!isTable(value)) return 'integrity must be an object with a digest under each path';
  const wrong = Object.entries(value).find(([, digest]) => typeof digest !== 'string' || !FORM.test(digest));
  return wrong ? `the digest of ${JSON.stringify(wrong[0])} must be "sha256-" and base64` : (value as Integrity);
}
