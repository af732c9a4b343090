import type {} from '@gemini-kernel/kernel';

/** What a file was like when this session last read or wrote it. */
export interface FileVersion {
  /** Changes whenever the system's view of the file does: device, inode, size and times. */
  readonly stamp: string;
  /** Of the whole content; absent when only a part was read. */
  readonly sha256?: string;
}

/** The versions of files that this session knows, by real path. A write over another version is refused. */
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
