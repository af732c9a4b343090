import {messageOf} from '@gemini-kernel/kernel';
import type {FetchImplementation, JWTPayload, JWTVerifyGetKey} from '#jose';
import {readLimited} from '../remote/read-limited.js';
import {isSafeAddress, type Fetch} from '../remote/remote-fetch.js';

type Jose = typeof import('#jose');

/** Signatures that only the issuer can make. A key that both sides have would let this server make tokens. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const LARGEST = 1 << 20;
const ANSWER_MS = 5000;
/** How long the address of keys is known, and how long a failure to learn it. */
const KNOWN_MS = 60 * 60_000;
const FAILED_MS = 10_000;
/** Clocks differ. */
const LEEWAY_S = 60;
const MINUTE_MS = 60_000;

/** A token that is not taken. `isLater`: it may be when its issuer can be asked. The message is for the caller. */
export class TokenRefused extends Error {
  override name = 'TokenRefused';

  constructor(
    message: string,
    readonly isLater = false,
  ) {
    super(message);
  }
}

export interface Expected {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

interface Keys {
  readonly find: Promise<JWTVerifyGetKey>;
  until: number;
}

/** Checks tokens of OpenID Connect by the keys that their issuer publishes. */
export class OpenIdIssuers {
  readonly #keys = new Map<string, Keys>();

  constructor(private readonly fetch: Fetch) {}

  /** What a token says of itself: only for the choice of whom to ask. Undefined for what is no token. */
  async issuerOf(token: string): Promise<string | undefined> {
    const {decodeJwt} = await jose();
    try {
      return decodeJwt(token).iss;
    } catch {
      return undefined;
    }
  }

  /** What a token proves. Throws TokenRefused. */
  async verify(token: string, {issuer, audiences}: Expected): Promise<JWTPayload> {
    const {jwtVerify} = await jose();
    const keys = await this.#keysOf(issuer);
    try {
      const {payload} = await jwtVerify(token, keys, {
        ...{issuer, audience: [...audiences], algorithms: ALGORITHMS},
        ...{clockTolerance: LEEWAY_S, requiredClaims: ['exp', 'sub']},
      });
      return payload;
    } catch (error) {
      throw await refusalOf(error, issuer);
    }
  }

  async #keysOf(issuer: string): Promise<JWTVerifyGetKey> {
    const known = this.#keys.get(issuer);
    if (known && known.until > Date.now()) return known.find;
    const keys: Keys = {find: this.#discover(issuer), until: Date.now() + KNOWN_MS};
    this.#keys.set(issuer, keys);
    keys.find.catch(() => (keys.until = Date.now() + FAILED_MS));
    return keys.find;
  }

  async #discover(issuer: string): Promise<JWTVerifyGetKey> {
    const {createRemoteJWKSet, customFetch} = await jose();
    try {
      const answer = await this.#read(discoveryOf(issuer), {signal: AbortSignal.timeout(ANSWER_MS)});
      if (!answer.ok) throw new TypeError(`it answers ${answer.status}`);
      const {issuer: named, jwks_uri: address} = (await answer.json()) as Readonly<Record<string, unknown>>;
      if (named !== issuer) throw new TypeError(`it calls itself ${JSON.stringify(named)}`);
      return createRemoteJWKSet(keysAt(address, issuer), {
        [customFetch]: ((url, options) => this.#read(url, options)) satisfies FetchImplementation,
        // A token with an unknown key has the keys read again, but not with each request.
        ...{timeoutDuration: ANSWER_MS, cooldownDuration: MINUTE_MS, cacheMaxAge: 10 * MINUTE_MS},
      });
    } catch (cause) {
      throw new TokenRefused(`${issuer} cannot be asked for its keys: ${messageOf(cause)}.`, true);
    }
  }

  /** An answer of at most 1 MiB, from where it was asked for. */
  async #read(url: string, init: RequestInit): Promise<Response> {
    const answer = await this.fetch(url, {...init, redirect: 'error'});
    const body = await readLimited(answer, LARGEST);
    if (!body) throw new TypeError('it answers with more than 1 MiB');
    return new Response(body, {status: answer.status, headers: answer.headers});
  }
}

/** Where an issuer says what it is. */
export function discoveryOf(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** Keys come encrypted, unless the issuer itself is on this machine. */
function keysAt(address: unknown, issuer: string): URL {
  const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url && isSafeAddress(url) && (url.protocol === 'https:' || issuer.startsWith('http:'));
  if (!isSafe) throw new TypeError(`its keys are at ${JSON.stringify(address)}, which is not an https address`);
  return url;
}

async function refusalOf(error: unknown, issuer: string): Promise<TokenRefused> {
  const {errors} = await jose();
  const what = `The token of ${issuer} was not taken`;
  if (error instanceof errors.JWTExpired) return new TokenRefused(`${what}: it has expired.`);
  if (error instanceof errors.JWTClaimValidationFailed)
    return new TokenRefused(`${what}: its claim "${error.claim}" is not the one that is expected.`);
  if (error instanceof errors.JOSEAlgNotAllowed)
    return new TokenRefused(`${what}: its algorithm is not one of these: ${ALGORITHMS.join(', ')}.`);
  if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError))
    return new TokenRefused(`${issuer} cannot be asked for its keys: ${messageOf(error)}.`, true);
  return new TokenRefused(`${what}: ${error.message}.`);
}

function jose(): Promise<Jose> {
  return import('#jose');
}
