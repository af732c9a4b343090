import {createHash} from 'node:crypto';
import {readTar} from './read-tar.js';
import {readZip} from './read-zip.js';
import type {SourceFile, SourceLimits} from './source-limits.js';

export interface ReadArchive {
  readonly files: readonly SourceFile[];
  /** `sha512-…` of the archive, as npm writes it. */
  readonly integrity: string;
}

/** The files of a zip archive, or of a tar archive, gzipped or not. Throws the error of `limits`. */
export function readArchive(bytes: Buffer, limits: SourceLimits): ReadArchive {
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  return {
    files: isZip ? readZip(bytes, limits) : readTar(bytes, limits),
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
  };
}
