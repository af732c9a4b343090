import {readdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {ifMissing} from '../queue/if-missing.js';

/** What is known of a fleet beside its queue. */
export interface Fleet {
  readonly name: string;
  /** The address of its queue; absent for the folder of the fleet. */
  readonly address?: string;
  /** ISO, of the last `gemini fleet run`. */
  readonly started: string;
}

const FILE = 'fleet.json';
const NAME = /^[A-Za-z0-9][\w-]{0,47}$/;

/** The fleets of a person: what is known of each in a folder, and the checkouts in another. */
export class Fleets {
  private constructor(
    readonly folder: string,
    /** Outside of what rules keep agents from: they work there. */
    readonly works: string,
  ) {}

  static async open(home: string): Promise<Fleets> {
    const [folder, works] = [join(home, '.gemini', 'fleets'), join(home, '.gemini-fleets')];
    try {
      await makePrivateFolder(folder);
      await makePrivateFolder(works);
      // Git compares paths of worktrees as they really are.
      return new Fleets(folder, await realpath(works));
    } catch (error) {
      throw unwritable(folder, error);
    }
  }

  folderOf(name: string): string {
    return join(this.folder, name);
  }

  /** Where the checkouts of a fleet are. */
  workOf(name: string): string {
    return join(this.works, 'work', name);
  }

  get mirrors(): string {
    return join(this.works, 'mirrors');
  }

  async write(fleet: Fleet): Promise<void> {
    const folder = this.folderOf(fleet.name);
    try {
      await makePrivateFolder(folder);
      await writeAtomically(join(folder, FILE), `${JSON.stringify(fleet)}\n`);
    } catch (error) {
      throw unwritable(folder, error);
    }
  }

  /** A fleet by its name, or the one that was started last. Throws KernelError FLEET_UNKNOWN, FLEET_UNREADABLE. */
  async find(name: string | undefined): Promise<Fleet> {
    const found = name === undefined ? (await this.list()).at(-1) : await this.#read(name);
    if (found) return found;
    throw new KernelError(
      'FLEET_UNKNOWN',
      name === undefined ? 'There is no fleet.' : `There is no fleet ${JSON.stringify(name.slice(0, 80))}.`,
      {
        hint: name === undefined ? 'Begin one with gemini fleet run.' : 'gemini fleet status --all lists them.',
      },
    );
  }

  /** All, the one that was started last at the end. */
  async list(): Promise<readonly Fleet[]> {
    const names = (await readdir(this.folder)).filter((name) => NAME.test(name));
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return found.filter((one) => one !== undefined).sort((a, b) => (a.started < b.started ? -1 : 1));
  }

  async #read(name: string): Promise<Fleet | undefined> {
    if (!NAME.test(name)) return undefined;
    const file = join(this.folderOf(name), FILE);
    try {
      const text = await readText(file).catch(ifMissing);
      return text === undefined ? undefined : (JSON.parse(text) as Fleet);
    } catch (error) {
      throw new KernelError('FLEET_UNREADABLE', `Cannot read ${file}: ${messageOf(error)}`, {
        cause: error,
        hint: 'gemini fleet run with the same plan writes it again.',
      });
    }
  }
}

function unwritable(folder: string, cause: unknown): KernelError {
  return new KernelError('FLEET_UNWRITABLE', `Cannot write to ${folder}: ${messageOf(cause)}`, {
    cause,
    hint: 'Make room, or set GEMINI_CLI_HOME to a folder that can be written.',
  });
}
