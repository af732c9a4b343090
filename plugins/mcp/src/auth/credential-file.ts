import {join} from 'node:path';
import {SealedFile, type MasterKey} from '@gemini-kernel/files/sealed';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Credential, CredentialStore} from './credential.js';

interface Kept {
  /** Of the file. */
  readonly name: string;
  /** What another program kept for an address. */
  earlier?(address: string): Promise<Credential | undefined>;
}

/** The credentials of many addresses in one encrypted file, which only its owner may read. */
export class CredentialFile implements CredentialStore {
  readonly #sealed: SealedFile<Credential>;

  constructor(
    home: string,
    key: MasterKey,
    private readonly kept: Kept,
  ) {
    const file = join(home, '.gemini', kept.name);
    this.#sealed = new SealedFile({file, key, broken: (cause) => broken(file, cause), busy});
  }

  /** What was kept earlier counts until something of our own is there. Throws KernelError MCP_CREDENTIALS_BROKEN. */
  async read(address: string): Promise<Credential | undefined> {
    return (await this.#sealed.read())[address] ?? (await this.kept.earlier?.(address));
  }

  async update(
    address: string,
    change: (credential: Credential) => Credential | undefined,
  ): Promise<Credential | undefined> {
    let before: Credential | undefined;
    await this.#sealed.update(async ({[address]: known, ...others}) => {
      before = known;
      const after = change(known ?? (await this.kept.earlier?.(address)) ?? {});
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
  return new KernelError('MCP_CREDENTIALS_BROKEN', `Cannot read the credentials in ${file}: ${reason}.`, {
    hint: 'Move the file away, then log in again.',
    cause,
  });
}
