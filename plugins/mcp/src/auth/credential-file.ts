import {createCipheriv, createDecipheriv, createHash, randomBytes} from 'node:crypto';
import {dirname, join} from 'node:path';
import {makePrivateFolder, readText} from '@gemini-kernel/files';
import {isHeld, takeLock, writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Credential, CredentialStore} from './credential.js';
import type {KeyPlace, MasterKey} from './master-key.js';
import {readReferenceTokens} from './reference-tokens.js';

interface Sealed {
  readonly version: 1;
  readonly key: KeyPlace;
  readonly nonce: string;
  readonly tag: string;
  readonly data: string;
}

type Entries = Readonly<Record<string, Credential>>;

const PATIENCE_MS = 30_000;

/** The credentials of all servers in one encrypted file, which only its owner may read. */
export class CredentialFile implements CredentialStore {
  readonly #file: string;

  constructor(
    private readonly home: string,
    private readonly key: MasterKey,
  ) {
    this.#file = join(home, '.gemini', 'mcp-credentials.json');
  }

  /** What Gemini CLI kept counts until something of our own is there. Throws KernelError MCP_CREDENTIALS_BROKEN. */
  async read(address: string): Promise<Credential | undefined> {
    return (await this.#entries())[address] ?? (await readReferenceTokens(this.home, address));
  }

  async update(
    address: string,
    change: (credential: Credential) => Credential | undefined,
  ): Promise<Credential | undefined> {
    return this.#locked(`${this.#file}.lock`, async () => {
      const {[address]: before, ...others} = await this.#entries();
      const after = change(before ?? (await readReferenceTokens(this.home, address)) ?? {});
      await this.#write(after ? {...others, [address]: after} : others);
      return before;
    });
  }

  alone<T>(address: string, act: () => Promise<T>): Promise<T> {
    const name = createHash('sha256').update(address).digest('hex').slice(0, 16);
    return this.#locked(`${this.#file}.${name}.lock`, act);
  }

  async #locked<T>(path: string, act: () => Promise<T>): Promise<T> {
    await makePrivateFolder(dirname(path));
    const lock = await takeLock(path, {patienceMs: PATIENCE_MS});
    if (!isHeld(lock))
      throw new KernelError('MCP_CREDENTIALS_BROKEN', `Another process (${lock.pid}) keeps ${path} locked.`, {
        hint: 'Wait for it to end, then try again.',
      });
    try {
      return await act();
    } finally {
      await lock.release();
    }
  }

  async #entries(): Promise<Entries> {
    const text = await readText(this.#file).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw this.#broken(error);
    });
    if (text === '') return {};
    try {
      const sealed = JSON.parse(text) as Sealed;
      if (sealed.version !== 1) throw new Error(`it has the version ${JSON.stringify(sealed.version)}`);
      return open(sealed, await this.key.find(sealed.key));
    } catch (error) {
      throw this.#broken(error);
    }
  }

  async #write(entries: Entries): Promise<void> {
    const {place, key} = await this.key.make();
    await writeAtomically(this.#file, `${JSON.stringify(seal(entries, place, key))}\n`);
  }

  #broken(error: unknown): KernelError {
    return new KernelError(
      'MCP_CREDENTIALS_BROKEN',
      `Cannot read the credentials of MCP servers in ${this.#file}: ${messageOf(error).replace(/\.$/, '')}.`,
      {hint: 'Move the file away, then log in again with `gemini mcp login <server>`.', cause: error},
    );
  }
}

function seal(entries: Entries, place: KeyPlace, key: Uint8Array): Sealed {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  const data = Buffer.concat([cipher.update(JSON.stringify(entries), 'utf8'), cipher.final()]);
  const [text, tag] = [data, cipher.getAuthTag()].map((bytes) => bytes.toString('base64')) as [string, string];
  return {version: 1, key: place, nonce: nonce.toString('base64'), tag, data: text};
}

function open({key: place, nonce, tag, data}: Sealed, key: Uint8Array): Entries {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), {authTagLength: 16});
  decipher.setAAD(Buffer.from(place)).setAuthTag(Buffer.from(tag, 'base64'));
  const text = Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]).toString('utf8');
  return JSON.parse(text) as Entries;
}
