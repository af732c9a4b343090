import {createHash, randomBytes, timingSafeEqual} from 'node:crypto';
import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';

/** Whose tokens of an issuer of OpenID Connect are taken. */
export interface OpenIdLogin {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
}

/** What another agent may do, and how it shows who it is: by a token of this server unless the grant says more. */
export interface Grant {
  readonly id: string;
  /** Who it was made for. */
  readonly name: string;
  /** The folder that its tasks work in. */
  readonly directory: string;
  readonly mode: string;
  /** Hosts, beside those of the public internet, that notifications may go to; each with or without a port. */
  readonly notify?: readonly string[];
  readonly openid?: OpenIdLogin;
  /** The SHA-256 of the client certificate, in hexadecimal. Beside `openid`, both are needed. */
  readonly certificate?: string;
  /** ISO. */
  readonly created: string;
  /** ISO; absent for a token without an end. */
  readonly expires?: string;
}

/** A grant, with the digest of its token where it has one; the token itself is nowhere. */
type Kept = Omit<Grant, 'id'> & {readonly digest?: string};

export type NewGrant = Omit<Grant, 'id' | 'created'>;

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
  async create(grant: NewGrant): Promise<{readonly token: string; readonly grant: Grant}> {
    const id = newId();
    const token = `${id}.${randomBytes(32).toString('base64url')}`;
    return {token, grant: await this.#add(id, grant, {digest: digestOf(token)})};
  }

  /** Lets in the agent that shows the login or the certificate of the grant, without a token of this server. */
  async admit(grant: NewGrant & ({readonly openid: OpenIdLogin} | {readonly certificate: string})): Promise<Grant> {
    return this.#add(newId(), grant, {});
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
    if (kept?.digest === undefined || !isSame || !isCurrent(kept)) return undefined;
    const {digest: _, ...grant} = kept;
    return {id, ...grant};
  }

  /** Grants that count now and need no token of this server. */
  async admitted(): Promise<readonly Grant[]> {
    return [...(await this.#read())].flatMap(([id, {digest, ...grant}]) =>
      digest === undefined && isCurrent(grant) ? [{id, ...grant}] : [],
    );
  }

  async #add(id: string, grant: NewGrant, secret: Pick<Kept, 'digest'>): Promise<Grant> {
    const made = {...grant, created: new Date().toISOString()};
    await this.files.setJSON(this.#file, [id], {...made, ...secret});
    return {id, ...made};
  }

  async #read(): Promise<ReadonlyMap<string, Kept>> {
    const value = (await this.files.readJSON(this.#file)) ?? {};
    // What does not have the form of a token lets no one in.
    return new Map(Object.entries(value).filter((one): one is [string, Kept] => ID.test(one[0]) && isKept(one[1])));
  }
}

function isCurrent({expires}: Pick<Grant, 'expires'>): boolean {
  return expires === undefined || Date.parse(expires) > Date.now();
}

function isKept(value: unknown): value is Kept {
  const {name, directory, mode, created, ...more} = Object(value) as Partial<Record<keyof Kept, unknown>>;
  const {expires, notify, digest, openid, certificate} = more;
  const texts = [name, directory, mode, created].every((one) => typeof one === 'string');
  const isEnd = expires === undefined || typeof expires === 'string';
  const proofs = [digest, certificate].filter((one) => one !== undefined);
  const isProven = (proofs.length > 0 || openid !== undefined) && proofs.every((one) => DIGEST.test(String(one)));
  return texts && isEnd && isTexts(notify) && isProven && (openid === undefined || isLogin(openid));
}

function isLogin(value: unknown): value is OpenIdLogin {
  const {issuer, audience, subject} = Object(value) as Partial<Record<keyof OpenIdLogin, unknown>>;
  return [issuer, audience, subject].every((one) => typeof one === 'string' && one !== '');
}

function isTexts(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

function newId(): string {
  return randomBytes(4).toString('hex');
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
