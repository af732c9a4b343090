import {claimName, findNameFault} from '../entry-names.js';

/** One file of a source that is not in its place yet. */
export interface SourceFile {
  /** Relative, with forward slashes. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}

export interface LimitOptions {
  /** As errors name it. */
  readonly source: string;
  readonly files: number;
  readonly bytes: number;
  /** Makes the error of a sentence such as `a.zip is refused: "x" is not a file.` */
  refused(sentence: string): Error;
}

/** Counts what a source brings, and refuses names and amounts that no source needs. */
export class SourceLimits {
  readonly #seen = new Map<string, boolean>();
  #files = 0;
  #bytes = 0;

  constructor(private readonly options: LimitOptions) {}

  /** The most bytes of all files together. */
  get bytes(): number {
    return this.options.bytes;
  }

  /** Throws the error of `refuse`. */
  check({path, size}: {readonly path: string; readonly size: number}): void {
    const {files, bytes} = this.options;
    this.#files += 1;
    this.#bytes += size;
    if (this.#files > files) throw this.refuse(path, `is one of more than ${files} files`);
    if (this.#bytes > bytes) throw this.refuse(path, `makes it larger than ${bytes / 1024 / 1024} MiB`);
    // Two ways to write one name would be two files.
    if (path.split('/').some((segment) => segment === '' || segment === '.'))
      throw this.refuse(path, findNameFault(path) ?? 'has an empty part in its name');
    const fault = findNameFault(path) ?? claimName(path, false, this.#seen);
    if (fault !== undefined) throw this.refuse(path, fault);
  }

  refuse(path: string, reason: string): Error {
    return this.refuseAll(`${JSON.stringify(path)} ${reason}`);
  }

  /** For a reason that is no entry's. */
  refuseAll(clause: string): Error {
    const {source, refused} = this.options;
    return refused(`${source} is refused: ${clause}.`);
  }
}
