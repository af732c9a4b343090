import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, takeLock, writeAtomically} from '@gemini-kernel/files/writing';
import type {PluginRecord, PluginUse} from '../contract.js';
import {mergeRecords} from './use-record.js';

const PATIENCE_MS = 2000;
const LARGEST = 1 << 20;
const MOST_FILES = 1000;
const ENDING = '.json';

/**
 * The records of plugins, a file for each in a folder of the person. No grant of a plugin reaches it; and what a plugin
 * does changes its own file only, which has a largest size.
 */
export class KeptRecords {
  readonly #folder: string;

  constructor(home: string) {
    this.#folder = join(home, '.gemini', 'plugin-uses');
  }

  /** Adds to what is kept, of this and of other runs. Throws what the system says when it cannot. */
  async add(change: PluginRecord): Promise<void> {
    await makePrivateFolder(this.#folder);
    const file = this.#fileOf(change.plugin);
    const lock = await takeLock(`${file}.lock`, {patienceMs: PATIENCE_MS});
    if (!isHeld(lock)) throw new Error(`Process ${lock.pid} has held ${file}.lock for ${PATIENCE_MS / 1000} s.`);
    try {
      const merged = mergeRecords(await readRecord(file), change);
      await writeAtomically(file, `${JSON.stringify(merged, null, 2)}\n`, {durable: false});
    } finally {
      await lock.release();
    }
  }

  /** That of one plugin, or all by name. A file that is no record counts as none. */
  async read(plugin?: string): Promise<readonly PluginRecord[]> {
    const names = plugin === undefined ? await this.#list() : [this.#fileOf(plugin)];
    return (await Promise.all(names.map(readRecord))).flatMap((one) => one ?? []);
  }

  async #list(): Promise<readonly string[]> {
    const names = await readdir(this.#folder).catch(() => []);
    return names
      .filter((name) => name.endsWith(ENDING))
      .sort()
      .slice(0, MOST_FILES)
      .map((name) => join(this.#folder, name));
  }

  #fileOf(plugin: string): string {
    return join(this.#folder, `${encodeURIComponent(plugin)}${ENDING}`);
  }
}

async function readRecord(file: string): Promise<PluginRecord | undefined> {
  const text = await readText(file, {limit: LARGEST}).catch(() => '');
  try {
    const value = JSON.parse(text) as unknown;
    return isRecord(value) ? value : undefined;
  } catch {
    // There is none yet, or one that is damaged: it begins again.
    return undefined;
  }
}

function isRecord(value: unknown): value is PluginRecord {
  const one = (value ?? {}) as Partial<Record<keyof PluginRecord, unknown>>;
  return (
    [one.plugin, one.version].every((part) => typeof part === 'string') &&
    [one.since, one.starts, one.deaths, one.calls, one.busyMs, one.dropped].every(isCount) &&
    (one.peakBytes === undefined || isCount(one.peakBytes)) &&
    (one.lastDeath === undefined || typeof one.lastDeath === 'string') &&
    Array.isArray(one.uses) &&
    one.uses.every(isUse)
  );
}

function isUse(value: unknown): value is PluginUse {
  const {what, outcome, seenBy, count, first, last} = (value ?? {}) as Partial<Record<keyof PluginUse, unknown>>;
  return (
    typeof what === 'string' &&
    ['used', 'refused'].includes(String(outcome)) &&
    ['gemini', 'process'].includes(String(seenBy)) &&
    [count, first, last].every(isCount)
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
