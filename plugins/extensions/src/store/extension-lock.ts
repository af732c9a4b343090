import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../contract.js';
import {isTable} from '../manifest/is-table.js';

/** A version of an extension as it was agreed to. */
export interface LockedVersion {
  readonly version: string;
  /** Digest of all of its files; names its folder in the store too. */
  readonly tree: string;
  readonly source: ExtensionSource;
  readonly installed: string;
}

export interface LockedExtension extends LockedVersion {
  /** The version before, whose files are kept. */
  readonly previous?: LockedVersion;
  /** Whether updates that bring nothing new are installed unasked. */
  readonly autoUpdate?: true;
}

export type LockedExtensions = Readonly<Record<string, LockedExtension>>;

const DIGEST = /^[\w-]{20,200}$/;
const NAME = /^[a-zA-Z0-9-]{1,100}$/;

/** The lock: which extensions are installed, and the digest of each. */
export class ExtensionLock {
  readonly file: string;

  /** `folder` holds the lock and the store. */
  constructor(readonly folder: string) {
    this.file = join(folder, 'extensions.lock.json');
  }

  folderOf(name: string, {tree}: Pick<LockedVersion, 'tree'>): string {
    return join(this.folder, 'extensions', name, tree.slice(0, 40));
  }

  /** Throws KernelError EXTENSION_INVALID when the lock is damaged: then nothing is known about what was agreed to. */
  async read(): Promise<LockedExtensions> {
    let text: string;
    try {
      text = await readText(this.file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw this.#damaged(messageOf(error));
    }
    try {
      const value = JSON.parse(text) as unknown;
      const entries = isTable(value) && value['version'] === 1 ? value['extensions'] : undefined;
      if (!isTable(entries)) throw new Error('it has another form');
      for (const [name, entry] of Object.entries(entries)) checkEntry(name, entry);
      return entries as unknown as LockedExtensions;
    } catch (error) {
      throw this.#damaged(messageOf(error));
    }
  }

  async write(extensions: LockedExtensions): Promise<void> {
    const sorted = Object.fromEntries(Object.entries(extensions).sort(([a], [b]) => (a < b ? -1 : 1)));
    await writeAtomically(this.file, `${JSON.stringify({version: 1, extensions: sorted}, null, 2)}\n`);
  }

  #damaged(reason: string): KernelError {
    return new KernelError('EXTENSION_INVALID', `Cannot read the lock of extensions ${this.file}: ${reason}.`, {
      hint: 'Remove the file, and install the extensions again.',
    });
  }
}

function checkEntry(name: string, entry: unknown): void {
  const previous = isTable(entry) ? entry['previous'] : undefined;
  if (!NAME.test(name) || !isVersion(entry) || !(previous === undefined || isVersion(previous)))
    throw new Error(`its entry ${JSON.stringify(name)} is damaged`);
}

function isVersion(value: unknown): boolean {
  const {version, tree, source} = isTable(value) ? value : {};
  return typeof version === 'string' && typeof tree === 'string' && DIGEST.test(tree) && isTable(source);
}
