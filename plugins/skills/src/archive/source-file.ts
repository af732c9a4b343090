import {claimName, findNameFault} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';

/** One file of a skill that is not in its place yet. */
export interface SourceFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

/** What an entry of an archive or a folder announces of itself. */
export interface Announced {
  readonly path: string;
  readonly size: number;
}

export const MOST_FILES = 2000;
export const MOST_BYTES = 50 * 1024 * 1024;

/** Counts what a source brings and refuses names and amounts that no skill needs. */
export class SourceLimits {
  readonly #seen = new Map<string, boolean>();
  #files = 0;
  #bytes = 0;

  constructor(private readonly source: string) {}

  /** Throws KernelError SKILL_INVALID. */
  check({path, size}: Announced): void {
    this.#files += 1;
    this.#bytes += size;
    if (this.#files > MOST_FILES) throw this.refuse(path, `is one of more than ${MOST_FILES} files`);
    if (this.#bytes > MOST_BYTES) throw this.refuse(path, `makes it larger than ${MOST_BYTES / 1024 / 1024} MiB`);
    const fault = findNameFault(path) ?? claimName(path, false, this.#seen);
    if (fault !== undefined) throw this.refuse(path, fault);
  }

  refuse(path: string, reason: string): KernelError {
    return new KernelError('SKILL_INVALID', `${this.source} is refused: ${JSON.stringify(path)} ${reason}.`, {
      hint: 'Nothing was written. Ask its author to pack it with `gemini skills pack`.',
    });
  }
}
