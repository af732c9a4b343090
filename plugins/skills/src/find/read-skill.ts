import {realpathSync, statSync} from 'node:fs';
import {dirname} from 'node:path';
import {isFileFault, readText, readTextSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {NotedHeads} from './noted-heads.js';
import {parseSkill, type SkillHead} from './skill-head.js';

/** The most that a `SKILL.md` may have. */
export const LARGEST_SKILL = 1024 * 1024;
/** The head ends within this. */
const HEAD = 64 * 1024;

/** A skill as its file says, or the reason why it does not count. */
export type ReadSkill =
  {readonly head: SkillHead; readonly folder: string} | {readonly reason: string; readonly folder?: undefined};

interface Kept {
  readonly mark: string;
  readonly read: ReadSkill;
}

interface ReadHow {
  /** Heads of earlier starts. */
  readonly noted?: NotedHeads;
}

/** Reads the heads of skills, each again only when its file has changed. */
export class SkillReader {
  readonly #kept = new Map<string, Kept>();

  async read(file: string, {noted}: ReadHow = {}): Promise<ReadSkill> {
    try {
      const {mtimeMs, ctimeMs, size, ino} = statSync(file);
      const mark = `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
      const kept = this.#kept.get(file);
      if (kept?.mark === mark) return kept.read;
      const head = noted?.find(file, mark);
      const read = head ? {head, folder: folderOf(file)} : await readHead(file, size);
      this.#kept.set(file, {mark, read});
      if (!head && read.folder !== undefined) noted?.note(file, {mark, head: read.head}, Math.max(mtimeMs, ctimeMs));
      return read;
    } catch (error) {
      return {reason: reasonOf(error)};
    }
  }
}

async function readHead(file: string, size: number): Promise<ReadSkill> {
  if (size > LARGEST_SKILL) return {reason: `is larger than ${LARGEST_SKILL / 1024 / 1024} MiB`};
  // The usual small file is read at once: thirty of them would take several times as long otherwise.
  const text = size <= HEAD ? readTextSync(file, HEAD) : await readText(file, {limit: HEAD, cut: true});
  const parsed = parseSkill(text);
  return typeof parsed === 'string' ? {reason: parsed} : {head: parsed.head, folder: folderOf(file)};
}

/** Where the folder really is: a folder above it may be a link that leads elsewhere by now. */
function folderOf(file: string): string {
  return realpathSync.native(dirname(file));
}

/** Why a file cannot be read, as a sentence without its subject. */
export function reasonOf(error: unknown): string {
  if (isFileFault(error)) return `cannot be read: ${error.reason}`;
  const {code} = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code === 'ENOENT' ? 'is a link that leads nowhere, or was removed' : `cannot be read: ${messageOf(error)}`;
}
