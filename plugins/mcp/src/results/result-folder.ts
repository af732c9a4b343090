import {mkdtemp, readdir, rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import type {ServiceContext} from '@gemini-kernel/kernel';
import {createPrivateFile, makePrivateFolder} from '@gemini-kernel/files';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {layOut} from './lay-out.js';

/** Characters that one session keeps. */
const MOST_KEPT = 100_000_000;
/** A program that was killed leaves its folder, which a later one removes. */
const LEFT_AFTER_MS = 7 * 24 * 60 * 60_000;

/** The private folder in which a session keeps texts that are too long for the model. It is made when first needed. */
export class ResultFolder {
  #folder: Promise<string> | undefined;
  #kept = 0;
  #count = 0;

  constructor(private readonly context: Pick<ServiceContext, 'environment' | 'service'>) {}

  /** Writes a text to a file that the tools of the session can read, and gives its path. */
  async keep(text: string): Promise<string> {
    this.#kept += text.length;
    if (this.#kept > MOST_KEPT) {
      this.#kept -= text.length;
      throw new Error(`this session keeps ${MOST_KEPT} characters of results at most`);
    }
    this.#count += 1;
    const name = `result-${this.#count}.txt`;
    const file = join(await this.#open(), name);
    await createPrivateFile(file, layOut(text));
    return file;
  }

  /** Removes the folder with all that is in it. */
  async close(): Promise<void> {
    const folder = await this.#folder?.catch(() => undefined);
    if (folder !== undefined) await rm(folder, {recursive: true, force: true});
  }

  #open(): Promise<string> {
    return (this.#folder ??= this.#make().catch((error: unknown) => {
      this.#folder = undefined;
      throw error;
    }));
  }

  async #make(): Promise<string> {
    const parent = join(this.context.environment.cacheDir, 'mcp', 'results');
    await makePrivateFolder(parent);
    await removeOld(parent);
    const folder = await mkdtemp(join(parent, 'session-'));
    await (await this.context.service('workspace')).allowReading(folder);
    return folder;
  }
}

async function removeOld(parent: string): Promise<void> {
  const before = Date.now() - LEFT_AFTER_MS;
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    // Another program may remove the same one.
    const found = await stat(path).catch(() => undefined);
    if (found && found.mtimeMs < before) await rm(path, {recursive: true, force: true});
  }
}
