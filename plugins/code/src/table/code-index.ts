import type {FileTable} from './file-table.js';

/** What an update did. */
export interface Updated {
  readonly table: FileTable;
  readonly ms: number;
  readonly parsed: number;
}

/** Lists files; `key` says which. */
export interface FileList {
  readonly key: string;
  read(signal: AbortSignal): Promise<readonly string[]>;
}
