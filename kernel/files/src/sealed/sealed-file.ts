import {createCipheriv, createDecipheriv, createHash, randomBytes} from 'node:crypto';
import {dirname} from 'node:path';
import {isHeld, takeLock} from '../lock.js';
import {makePrivateFolder} from '../private-folder.js';
import {readText} from '../read-text.js';
import {writeAtomically} from '../write-atomically.js';
import type {KeyPlace, MasterKey} from './master-key.js';

interface Sealed {
  readonly version: 1;
  readonly key: KeyPlace;
  readonly nonce: string;
  readonly tag: string;
  readonly data: string;
}

type Entries<T> = Readonly<Record<string, T>>;

interface Parts {
  readonly file: string;
  readonly key: MasterKey;
  /** The error for a file that cannot be read. */
  broken(cause: unknown): Error;
  /** The error for a lock that another process holds for too long. */
  busy(path: string, pid: number): Error;
}

const PATIENCE_MS = 30_000;

/** Secrets by name in one encrypted file, which only its owner may read. */
export class SealedFile<T> {
  constructor(private readonly parts: Parts) {}

  /** Everything in it; nothing when there is no file. Throws the error for a broken file. */
  async read(): Promise<Entries<T>> {
    const {file, key, broken} = this.parts;
    const text = await readText(file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw broken(error);
    });
    if (text === '') return {};
    try {
      const sealed = JSON.parse(text) as Sealed;
      if (sealed.version !== 1) throw new Error(`it has the version ${JSON.stringify(sealed.version)}`);
      return open(sealed, await key.find(sealed.key));
    } catch (error) {
      throw broken(error);
    }
  }

  /** Replaces the entries by what `change` makes of them. One process at a time. */
  async update(change: (entries: Entries<T>) => Entries<T> | Promise<Entries<T>>): Promise<void> {
    const {file, key} = this.parts;
    await this.#locked(`${file}.lock`, async () => {
      const entries = await change(await this.read());
      const {place, key: bytes} = await key.make();
      await writeAtomically(file, `${JSON.stringify(seal(entries, place, bytes))}\n`);
    });
  }

  /** Runs something that no other process does at the same time under this name. */
  alone<R>(name: string, act: () => Promise<R>): Promise<R> {
    const mark = createHash('sha256').update(name).digest('hex').slice(0, 16);
    return this.#locked(`${this.parts.file}.${mark}.lock`, act);
  }

  async #locked<R>(path: string, act: () => Promise<R>): Promise<R> {
    await makePrivateFolder(dirname(path));
    const lock = await takeLock(path, {patienceMs: PATIENCE_MS});
    if (!isHeld(lock)) throw this.parts.busy(path, lock.pid);
    try {
      return await act();
    } finally {
      await lock.release();
    }
  }
}

function seal(entries: Entries<unknown>, place: KeyPlace, key: Uint8Array): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const data = Buffer.concat([cipher.update(JSON.stringify(entries), 'utf8'), cipher.final()]);
  const [text, tag] = [data, cipher.getAuthTag()].map((bytes) => bytes.toString('base64')) as [string, string];
  return {version: 1, key: place, nonce: nonce.toString('base64'), tag, data: text};
}

function open<T>({key: place, nonce, tag, data}: Sealed, key: Uint8Array): Entries<T> {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), {authTagLength: 16});
  decipher.setAAD(Buffer.from(place)).setAuthTag(Buffer.from(tag, 'base64'));
  const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
  return JSON.parse(text) as Entries<T>;
}
