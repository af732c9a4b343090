import {join} from 'node:path';
import {SealedFile, type MasterKey} from '@gemini-kernel/files/sealed';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Credential, CredentialStore} from './credential.js';
import {readReferenceTokens} from './reference-tokens.js';

/** The credentials of all servers in one encrypted file, which only its owner may read. */
export class CredentialFile implements CredentialStore {
  readonly #sealed: SealedFile<Credential>;

  constructor(
    private readonly home: string,
    key: MasterKey,
  ) {
    const file = join(home, '.gemini', 'mcp-credentials.json');
    this.#sealed = new SealedFile({file, key, broken: (cause) => broken(file, cause), busy});
  }

  /** What Gemini CLI kept counts until something of our own is there. Throws KernelError MCP_CREDENTIALS_BROKEN. */
  async read(address: string): Promise<Credential | undefined> {
    return (await this.#sealed.read())[address] ?? (await readReferenceTokens(this.home, address));
  }

  async update(
    address: string,
    change: (credential: Credential) => Credential | undefined,
  ): Promise<Credential | undefined> {
    let before: Credential | undefined;
    await this.#sealed.update(async ({[address]: known, ...others}) => {
      before = known;
      const after = change(known ?? (await readReferenceTokens(this.home, address)) ?? {});
      return after ? {...others, [address]: after} : others;
    });
    return before;
  }

  alone<T>(address: string, act: () => Promise<T>): Promise<T> {
    return this.#sealed.alone(address, act);
  }
}

function busy(path: string, pid: number): KernelError {
  return new KernelError('MCP_CREDENTIALS_BROKEN', `Another process (${pid}) keeps ${path} locked.`, {
    hint: 'Wait for it to end, then try again.',
  });
}

function broken(file: string, cause: unknown): KernelError {
  const reason = messageOf(cause).replace(/\.$/, '');
  return new KernelError(
    'MCP_CREDENTIALS_BROKEN',
    `Cannot read the credentials of MCP servers in ${file}: ${reason}.`,
    {
      hint: 'Move the file away, then log in again with `gemini mcp login <server>`.',
      cause,
    },
  );
}
