/** What a path is instead of a regular file. */
export type OddKind = 'directory' | 'FIFO' | 'socket' | 'device' | 'link that leads nowhere' | 'link';

/**
 * A path that cannot be used as a file. The codes are those of system calls where there is one, so that handlers of
 * system errors meet them too: EISDIR, ENOENT (a link that leads nowhere), EFBIG, ETIMEDOUT; ENOTFILE for everything
 * else.
 */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  /** The step that failed, as errors of the system say it. */
  readonly syscall = 'open';

  constructor(
    readonly code: 'EISDIR' | 'ENOENT' | 'EFBIG' | 'ETIMEDOUT' | 'ENOTFILE',
    readonly path: string,
    /** Why, as a sentence that begins with "it": "it is a FIFO, not a file". The message has the path in its place. */
    readonly reason: string,
  ) {
    super(reason.replace(/^it/, () => path));
  }
}

/** True for a FileFault of any copy of this package. */
export function isFileFault(value: unknown): value is FileFault {
  return value instanceof Error && value.name === 'FileFault' && 'reason' in value;
}

/** A path that is `kind` where a file is needed. */
export function notAFile(path: string, kind: OddKind): FileFault {
  const code = kind === 'directory' ? 'EISDIR' : kind === 'link that leads nowhere' ? 'ENOENT' : 'ENOTFILE';
  return new FileFault(code, path, `it is a ${kind}, not a file`);
}

/** A file that has more than `limit` bytes, or does not end. */
export function tooLarge(path: string, limit: number): FileFault {
  return new FileFault('EFBIG', path, `it is larger than ${describeSize(limit)}`);
}

function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1 << 20 ? `${Math.floor(bytes / 1024)} KiB` : `${Math.floor(bytes / (1 << 20))} MiB`;
}
