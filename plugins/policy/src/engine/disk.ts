/** Something in a folder. */
export interface DiskEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** What a judgement looks up on disk. Nothing here throws. */
export interface Disk {
  /** What a folder holds; undefined when it is not one, or cannot be read. */
  list(folder: string): Promise<readonly DiskEntry[] | undefined>;
  /** What a path is, links not followed; undefined when there is nothing, or it is unknown. */
  kind(path: string): Promise<DiskEntry['kind'] | undefined>;
  /** The bytes of a regular file; undefined when it is not one, cannot be read, or is larger than `most`. */
  read(file: string, most: number): Promise<Buffer | undefined>;
}

/** A disk on which nothing is. */
export const emptyDisk: Disk = {
  list: () => Promise.resolve(undefined),
  kind: () => Promise.resolve(undefined),
  read: () => Promise.resolve(undefined),
};
