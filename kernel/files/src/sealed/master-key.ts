import {randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {createPrivateFile} from '../private-file.js';
import {makePrivateFolder} from '../private-folder.js';
import {readText} from '../read-text.js';
import type {Keychain} from './keychain.js';

/** Where the key is kept. */
export type KeyPlace = 'keychain' | 'file';

const KEY_BYTES = 32;

/** The key that encrypts secrets of a person: in the keychain of the system, or beside them in a file of its own. */
export class MasterKey {
  readonly #file: string;
  #made: {readonly place: KeyPlace; readonly key: Uint8Array} | undefined;

  constructor(
    home: string,
    private readonly keychain: Keychain | undefined,
  ) {
    this.#file = join(home, '.gemini', 'mcp-credentials.key');
  }

  /** The key that is kept there. Throws when it is gone. */
  async find(place: KeyPlace): Promise<Uint8Array> {
    const text = place === 'keychain' ? await this.keychain?.read() : await this.#readFile();
    const key = Buffer.from(text ?? '', 'base64');
    if (key.length === KEY_BYTES) return key;
    const where = place === 'keychain' ? "the system's keychain" : this.#file;
    throw new Error(`their key is not in ${where}`);
  }

  /** The key to encrypt with, made if there is none. */
  async make(): Promise<{readonly place: KeyPlace; readonly key: Uint8Array}> {
    return (this.#made ??= (await this.#inKeychain()) ?? (await this.#inFile()));
  }

  async #inKeychain(): Promise<{readonly place: 'keychain'; readonly key: Uint8Array} | undefined> {
    if (!this.keychain || (await this.#readFile()) !== undefined) return undefined;
    const kept = Buffer.from((await this.keychain.read()) ?? '', 'base64');
    if (kept.length === KEY_BYTES) return {place: 'keychain', key: kept};
    const key = randomBytes(KEY_BYTES);
    await this.keychain.write(key.toString('base64'));
    // A keychain that is locked or has no service may take a value and not keep it.
    return (await this.keychain.read()) === key.toString('base64') ? {place: 'keychain', key} : undefined;
  }

  async #inFile(): Promise<{readonly place: 'file'; readonly key: Uint8Array}> {
    if ((await this.#readFile()) === undefined) {
      await makePrivateFolder(join(this.#file, '..'));
      await createPrivateFile(this.#file, `${randomBytes(KEY_BYTES).toString('base64')}\n`).catch((error: unknown) => {
        // Another process was faster; its key counts.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
    return {place: 'file', key: await this.find('file')};
  }

  async #readFile(): Promise<string | undefined> {
    return readText(this.#file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
  }
}
