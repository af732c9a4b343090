import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {isFileFault, makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, ownerOfLock, takeLock, writeAtomically, type HeldLock} from '@gemini-kernel/files/writing';
import type {TaskKey, TaskStorage} from '../contract.js';

const ID = /^[\w-]{1,64}$/;
const SERVERS = 'servers';
/** How often a server says that it runs, for others that share the folder from another machine. */
const BEAT_MS = 10_000;

/** Keeps each value in a private file, those of an owner in a folder of their own. */
export class FileStorage implements TaskStorage {
  readonly #held = new Map<string, HeldLock>();

  constructor(private readonly folder: string) {}

  async put(key: TaskKey, value: unknown, {durable}: {readonly durable: boolean}): Promise<void> {
    const {folder, file} = this.#placeOf(key);
    await makePrivateFolder(folder);
    await writeAtomically(file, JSON.stringify(value), {durable});
  }

  async get(key: TaskKey): Promise<unknown> {
    try {
      return JSON.parse(await readText(this.#placeOf(key).file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError || isFileFault(error))
        return undefined;
      throw error;
    }
  }

  async remove(key: TaskKey): Promise<void> {
    await rm(this.#placeOf(key).file, {force: true});
  }

  async ids(owner: string): Promise<readonly string[]> {
    const {folder} = this.#placeOf({owner, kind: 'task', id: 'any'});
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  async hold(server: string): Promise<void> {
    await makePrivateFolder(join(this.folder, SERVERS));
    const taken = await takeLock(this.#lockOf(server), {beatMs: BEAT_MS});
    if (!isHeld(taken)) throw new TypeError(`The server ${server} runs already, as process ${taken.pid}.`);
    this.#held.set(server, taken);
  }

  async isHeld(server: string): Promise<boolean> {
    if (this.#held.has(server)) return true;
    return (await ownerOfLock(this.#lockOf(server))) !== undefined;
  }

  async release(server: string): Promise<void> {
    await this.#held.get(server)?.release();
    this.#held.delete(server);
  }

  #placeOf({owner, kind, id}: TaskKey): {readonly folder: string; readonly file: string} {
    const folder = join(this.folder, checked(owner), ...(kind === 'receivers' ? ['push'] : []));
    return {folder, file: join(folder, `${checked(id)}.json`)};
  }

  #lockOf(server: string): string {
    return join(this.folder, SERVERS, `${checked(server)}.lock`);
  }
}

/** A name becomes a part of a path. */
function checked(name: string): string {
  if (ID.test(name) && name !== SERVERS) return name;
  throw new TypeError(`${JSON.stringify(name.slice(0, 80))} is not an id.`);
}
