import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';

/** What a token lets another agent do. */
export interface Grant {
  readonly id: string;
  /** Who it was made for. */
  readonly name: string;
  /** The folder that its tasks work in. */
  readonly directory: string;
  readonly mode: string;
  /** Hosts, beside those of the public internet, that notifications may go to; each with or without a port. */
  readonly notify?: readonly string[];
  /** ISO. */
  readonly created: string;
  /** ISO; absent for a token without an end. */
  readonly expires?: string;
}

/** A grant with the digest of its token; the token itself is nowhere. */
type Kept = Omit<Grant, 'id'> & {readonly digest: string};

const ID = /^[a-z0-9]{8}$/;
const DIGEST = /^[0-9a-f]{64}$/;

/** The tokens of other agents, in a file of the person. */
export class Tokens {
  readonly #file: string;

  constructor(
    private readonly files: ConfigFiles,
    home: string,
  ) {
    this.#file = join(home, '.gemini', 'a2a-tokens.json');
  }

  /** Makes a token; it is shown once. */
  async create(grant: Omit<Grant, 'id' | 'created'>): Promise<{readonly token: string; readonly grant: Grant}> {
    const id = randomBytes(5).toString('hex').slice(0, 8);
    const token = `${id}.${randomBytes(32).toString('base64url')}`;
    const made = {...grant, created: new Date().toISOString()};
    await this.files.setJSON(this.#file, [id], {...made, digest: digestOf(token)});
    return {token, grant: {id, ...made}};
  }

  async list(): Promise<readonly Grant[]> {
    return [...(await this.#read())].map(([id, {digest: _, ...grant}]) => ({id, ...grant}));
  }

  /** Throws KernelError PEER_TOKEN_INVALID. */
  async revoke(id: string): Promise<void> {
    if (!(await this.#read()).has(id))
      throw new KernelError('PEER_TOKEN_INVALID', `There is no token with the id ${JSON.stringify(id)}.`, {
        hint: 'gemini a2a token list shows their ids.',
      });
    await this.files.setJSON(this.#file, [id], undefined);
  }

  /** The grant of a token that counts now; the file is read each time, so that a revoked one ends at once. */
  async find(token: string): Promise<Grant | undefined> {
    const id = token.split('.')[0] ?? '';
    const kept = (await this.#read()).get(id);
    const given = Buffer.from(digestOf(token), 'hex');
    // Also compared where no token has this id, so that the time tells nothing.
    const isSame = timingSafeEqual(given, Buffer.from(kept?.digest ?? '0'.repeat(64), 'hex'));
    if (!kept || !isSame) return undefined;
    if (kept.expires !== undefined && !(Date.parse(kept.expires) > Date.now())) return undefined;
    const {digest: _, ...grant} = kept;
    return {id, ...grant};
  }

  async #read(): Promise<ReadonlyMap<string, Kept>> {
    const value = (await this.files.readJSON(this.#file)) ?? {};
    // What does not have the form of a token lets no one in.
    return new Map(Object.entries(value).filter((one): one is [string, Kept] => ID.test(one[0]) && isKept(one[1])));
  }
}

function isKept(value: unknown): value is Kept {
  const {name, directory, mode, created, digest, ...more} = Object(value) as Partial<Record<keyof Kept, unknown>>;
  const {expires, notify} = more;
  const texts = [name, directory, mode, created].every((one) => typeof one === 'string');
  const isEnd = expires === undefined || typeof expires === 'string';
  return texts && isEnd && isTexts(notify) && DIGEST.test(String(digest));
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
