import {mkdir, readdir, rename, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import type {FileChange} from './plan-patch.js';

const MOST_BYTES = 4 * 1024 * 1024;

/** What was done with one proposal, so that it can be taken back. */
export interface UndoRecord {
  readonly id: string;
  readonly done: 'applied' | 'dismissed';
  /** Where the proposal was. */
  readonly source: string;
  readonly changes: readonly FileChange[];
  /** A folder that was made whole. */
  readonly folder?: string;
}

/** The folder `.undo` beside the proposals: one folder for each thing done, with the proposal in it. */
export class UndoLog {
  constructor(private readonly folder: string) {}

  /** Takes a proposal out of the inbox, and remembers what was done with it. */
  async add(record: UndoRecord, now: Date): Promise<void> {
    const place = join(this.folder, String(now.getTime()));
    await makePrivateFolder(this.folder);
    await mkdir(place, {mode: 0o700});
    await writeAtomically(join(place, 'record.json'), JSON.stringify(record));
    await rename(record.source, join(place, 'proposal'));
  }

  async last(): Promise<(UndoRecord & {readonly place: string}) | undefined> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const newest = names
      .filter((name) => /^\d+$/.test(name))
      .sort()
      .at(-1);
    if (newest === undefined) return undefined;
    const place = join(this.folder, newest);
    const record = JSON.parse(await readText(join(place, 'record.json'), {limit: MOST_BYTES})) as UndoRecord;
    return {...record, place};
  }

  /** The proposal waits again. */
  async remove({place, source}: {readonly place: string; readonly source: string}): Promise<void> {
    await makePrivateFolder(join(source, '..'));
    await rename(join(place, 'proposal'), source);
    await rm(join(this.folder, basename(place)), {recursive: true});
  }
}
