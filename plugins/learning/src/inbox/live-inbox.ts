import {cp, lstat, readdir, realpath, rename, rm} from 'node:fs/promises';
import {basename, dirname, join, relative} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically, writeHint} from '@gemini-kernel/files/writing';
import {isKernelError, KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Inbox, InboxDone, InboxItem} from '../contract.js';
import {planPatch, type FileChange, type PatchBase} from './plan-patch.js';
import {readInbox, type FoundItem, type InboxPlaces} from './read-inbox.js';
import {UndoLog, type UndoRecord} from './undo-log.js';

const MOST_BYTES = 1024 * 1024;

/** The proposals of one project. */
export class LiveInbox implements Inbox {
  constructor(private readonly places: () => Promise<InboxPlaces | undefined>) {}

  async list(): Promise<readonly InboxItem[]> {
    const places = await this.places();
    return places ? (await readInbox(places)).map(({source: _, ...item}) => item) : [];
  }

  async find(name: string): Promise<InboxItem> {
    const {source: _, ...item} = (await this.#find(name)).item;
    return item;
  }

  async file(name: string): Promise<string> {
    const {item, places} = await this.#find(name);
    const file = fileOf(item);
    const [real, memory] = await Promise.all([realpath(file).catch(() => ''), realpath(places.memory)]);
    if (real === join(memory, relative(places.memory, file))) return file;
    throw invalid(item.id, `${file} is a link, or not there.`);
  }

  async cases(name: string): Promise<{readonly folder: string; readonly files: readonly string[]}> {
    const {item} = await this.#find(name);
    if (item.kind !== 'skill') return {folder: item.source, files: []};
    const names = await readdir(join(item.source, 'tests')).catch(() => []);
    return {folder: item.source, files: names.filter((one) => one.endsWith('.toml')).sort()};
  }

  async apply(name: string, {scope}: {readonly scope: 'user' | 'workspace'}): Promise<InboxDone> {
    const {item, places} = await this.#find(name);
    if (item.fault !== undefined) throw invalid(item.id, item.fault);
    return inWriting(item.id, () =>
      item.kind === 'skill' ? this.#makeSkill(item, places, scope) : this.#change(item, places),
    );
  }

  async dismiss(name: string): Promise<InboxDone> {
    const {item, places} = await this.#find(name);
    const record = {id: item.id, done: 'dismissed' as const, source: item.source, changes: []};
    await inWriting(item.id, () => logOf(places).add(record, new Date()));
    return {id: item.id, done: 'dismissed', files: []};
  }

  async undo(): Promise<InboxDone> {
    const places = await this.places();
    const log = places && logOf(places);
    const record = await log?.last();
    if (!log || !record) throw new KernelError('INBOX_UNDO', 'There is nothing to take back.');
    const changed = await findChanged(record.changes);
    if (changed !== undefined)
      throw new KernelError('INBOX_UNDO', `${changed} has been changed since; nothing was taken back.`, {
        hint: 'Edit the file yourself.',
      });
    return inWriting(record.id, async () => {
      await writeAll(reverse(record.changes));
      if (record.folder !== undefined) await rm(record.folder, {recursive: true});
      await log.remove(record);
      const files = [...record.changes.map(({path}) => path), ...(record.folder === undefined ? [] : [record.folder])];
      return {id: record.id, done: 'undone' as const, files};
    });
  }

  async #find(name: string): Promise<{readonly item: FoundItem; readonly places: InboxPlaces}> {
    const places = await this.places();
    const items = places ? await readInbox(places) : [];
    const item = items.find(({id}) => id === name) ?? (/^\d+$/.test(name) ? items[Number(name) - 1] : undefined);
    if (places && item) return {item, places};
    throw new KernelError('INBOX_UNKNOWN', `The inbox has no proposal ${JSON.stringify(name)}.`, {
      hint: 'gemini inbox list shows what waits.',
    });
  }

  /** The folder appears whole, under a name that nothing has. */
  async #makeSkill(item: FoundItem, places: InboxPlaces, scope: 'user' | 'workspace'): Promise<InboxDone> {
    const skills = join(scope === 'user' ? places.home : places.cwd, '.gemini', 'skills');
    const folder = join(skills, basename(item.source));
    if (await isThere(folder)) throw invalid(item.id, `${folder} exists already.`);
    const draft = join(skills, `.${basename(item.source)}.${Date.now()}.tmp`);
    await makePrivateFolder(skills);
    try {
      await cp(item.source, draft, {recursive: true, errorOnExist: true, force: false});
      await rename(draft, folder);
    } finally {
      await rm(draft, {recursive: true, force: true});
    }
    const {id, source} = item;
    await this.#remember(places, {id, done: 'applied', source, changes: [], folder}, () =>
      rm(folder, {recursive: true}),
    );
    return {id, done: 'applied', files: [folder]};
  }

  async #change({id, source, text, kind}: FoundItem, places: InboxPlaces): Promise<InboxDone> {
    const scope: PatchBase = kind === 'skill-patch' ? 'skills' : id.startsWith('global:') ? 'global' : 'private';
    const {changes, fault} = await planPatch(text, scope, places);
    if (fault !== undefined) throw invalid(id, fault);
    await writeAll(changes);
    await this.#remember(places, {id, done: 'applied', source, changes}, () => writeAll(reverse(changes)));
    return {id, done: 'applied', files: changes.map(({path}) => path)};
  }

  /** What cannot be taken back later is taken back now. */
  async #remember(places: InboxPlaces, record: UndoRecord, revert: () => Promise<void>): Promise<void> {
    try {
      await logOf(places).add(record, new Date());
    } catch (error) {
      await revert();
      throw error;
    }
  }
}

function fileOf({kind, source}: FoundItem): string {
  return kind === 'skill' && !source.endsWith('.json') ? join(source, 'SKILL.md') : source;
}

function reverse(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.map(({path, before, after}) => ({path, before: after, after: before}));
}

/** All files, or none: what was written before a failure is written back. */
async function writeAll(changes: readonly FileChange[]): Promise<void> {
  const written: FileChange[] = [];
  try {
    for (const change of changes) {
      await write(change.path, change.after);
      written.push(change);
    }
  } catch (error) {
    for (const {path, before} of written.reverse()) await write(path, before);
    throw error;
  }
}

async function write(path: string, text: string | undefined): Promise<void> {
  if (text === undefined) return rm(path);
  await makePrivateFolder(dirname(path));
  await writeAtomically(path, text);
}

/** The first file that is not as it was left. */
async function findChanged(changes: readonly FileChange[]): Promise<string | undefined> {
  for (const {path, after} of changes) {
    const now = (await isThere(path)) ? await readText(path, {limit: MOST_BYTES}) : undefined;
    if (now !== after) return path;
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function logOf({memory}: InboxPlaces): UndoLog {
  return new UndoLog(join(memory, '.undo'));
}

function invalid(id: string, fault: string): KernelError {
  return new KernelError('INBOX_INVALID', `${id} cannot be applied: ${fault}`, {
    hint: `gemini inbox show ${id} shows it; gemini inbox dismiss ${id} removes it.`,
  });
}

async function inWriting<T>(id: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (isKernelError(cause)) throw cause;
    const hint = writeHint(cause, 'Nothing was changed. Make the folder writable for you.');
    throw new KernelError('INBOX_UNWRITABLE', `${id} could not be carried out: ${messageOf(cause)}`, {cause, hint});
  }
}
