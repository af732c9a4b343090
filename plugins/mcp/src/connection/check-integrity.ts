import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {Integrity} from '../config/read-integrity.js';

/** Why a server with these digests must not start, as a clause; undefined when each file has its digest. */
export async function findChangedFile(integrity: Integrity, cwd: string): Promise<string | undefined> {
  for (const [path, digest] of Object.entries(integrity)) {
    const file = resolve(cwd, path);
    const found = await digestOf(file, digest.slice(0, digest.indexOf('-')));
    if (found === undefined) return `${file}, whose digest is named in integrity, cannot be read`;
    if (found !== digest) return `${file} has the digest ${found} instead of ${digest}`;
  }
  return undefined;
}

async function digestOf(file: string, algorithm: string): Promise<string | undefined> {
  try {
    // A FIFO or a device would be read for ever.
    if (!(await stat(file)).isFile()) return undefined;
    const hash = createHash(algorithm);
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
    return `${algorithm}-${hash.digest('base64')}`;
  } catch {
    return undefined;
  }
}
