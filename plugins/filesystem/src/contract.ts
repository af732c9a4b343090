import type {} from '@gemini-kernel/kernel';

/** A version of a file that this session read or wrote. */
export interface FileVersion {
  /** Changes whenever the file's metadata does: device, inode, size and times. */
  readonly stamp: string;
  /** Of the whole content; absent when only a part was read. */
  readonly sha256?: string;
}

/** The versions of files that this session knows, by real path. Writing over another version is refused. */
export interface Versions {
  /** Call it after reading or writing `path` outside the file tools, so that their next write is not refused. */
  remember(path: string, version: FileVersion): Promise<void>;
  recall(path: string): Promise<FileVersion | undefined>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    versions: Versions;
  }
}
