import type {ChildProcess} from 'node:child_process';
import {closeSync, openSync} from 'node:fs';
import type {Writable} from 'node:stream';

/** A descriptor that a program is started with. */
export interface PassedDescriptor {
  /** 3 or above. */
  readonly fd: number;
  /** Bytes to read from it, in base64; absent: it is `/dev/null`, in place of one that would be inherited. */
  readonly data?: string;
  /** It stays open and carries bytes both ways: `child.stdio[fd]` is the other end. */
  readonly isChannel?: boolean;
}

/** What `spawn` needs so that a program has descriptors. Call one of the two once it has returned. */
export interface Passing {
  /** The entries of `stdio` from 3 on. */
  readonly stdio: readonly ('pipe' | 'ignore' | number)[];
  /** Writes the bytes, and closes what only the program needs. */
  give(child: ChildProcess): void;
  /** For a program that could not be started. */
  close(): void;
}

/** Prepares descriptors for a program. */
export function passDescriptors(descriptors: readonly PassedDescriptor[]): Passing {
  const last = Math.max(2, ...descriptors.map(({fd}) => fd));
  const hasEmpty = descriptors.some(({data, isChannel}) => data === undefined && !isChannel);
  const nothing = hasEmpty ? openSync('/dev/null', 'r') : undefined;
  const stdio = Array.from({length: last - 2}, (_, index): 'pipe' | 'ignore' | number => {
    const descriptor = descriptors.find(({fd}) => fd === index + 3);
    if (!descriptor) return 'ignore';
    if (descriptor.isChannel) return 'pipe';
    return descriptor.data === undefined && nothing !== undefined ? nothing : 'pipe';
  });
  const close = (): void => {
    if (nothing !== undefined) closeSync(nothing);
  };
  const give = (child: ChildProcess): void => {
    close();
    for (const {fd, data} of descriptors) {
      if (data === undefined) continue;
      // The type hides that a pipe is both; a program that fails early does not read.
      const stream = child.stdio[fd] as Writable | null | undefined;
      stream?.on('error', () => stream.destroy());
      stream?.end(Buffer.from(data, 'base64'));
    }
  };
  return {stdio, give, close};
}
