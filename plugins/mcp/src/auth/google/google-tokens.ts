import {createSign} from 'node:crypto';
import {type Environment} from '@gemini-kernel/kernel';
import {isTable} from '../../config/is-table.js';
import type {Fetch} from '../guarded-fetch.js';
import {placeOfCredentials, readCredentials, type Credentials} from './credentials-file.js';
import type {GoogleConfig} from './google-config.js';

interface Parts {
  readonly config: GoogleConfig;
  readonly environment: Pick<Environment, 'variables' | 'home' | 'platform'>;
  readonly fetch: Fetch;
  now(): number;
}

interface Token {
  readonly value: string;
  readonly until: number;
}

type Table = Readonly<Record<string, unknown>>;

/** A token is renewed so long before it ends. */
const MARGIN_MS = 60_000;
const USUAL_MS = 3600_000;
const EVERYTHING = 'https://www.googleapis.com/auth/cloud-platform';

/** Sends requests with tokens of Google, from the application default credentials of this machine. */
export class GoogleTokens {
  #token: Promise<Token> | undefined;

  constructor(private readonly parts: Parts) {}

  readonly fetch: Fetch = async (url, init) => {
    const {value} = await this.#current();
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${value}`);
    const credentials = await this.#credentials();
    if (this.parts.config.kind === 'credentials' && credentials?.quotaProject !== undefined)
      headers.set('x-goog-user-project', credentials.quotaProject);
    // A redirect would carry the token to another host.
    return this.parts.fetch(url, {...init, headers, redirect: 'error'});
  };

  async #current(): Promise<Token> {
    const kept = await this.#token?.catch(() => undefined);
    if (kept && kept.until > this.parts.now()) return kept;
    this.#token = this.#obtain();
    return this.#token;
  }

  async #obtain(): Promise<Token> {
    const {config} = this.parts;
    if (config.kind === 'credentials') return this.#accessToken(config.scopes);
    if (config.kind === 'identity') return this.#identity(config.audience);
    const {value} = await this.#accessToken([EVERYTHING]);
    const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${config.account}:generateIdToken`;
    const answer = await this.#post(url, JSON.stringify({audience: config.audience, includeEmail: true}), {
      authorization: `Bearer ${value}`,
      'content-type': 'application/json',
    });
    return this.#keep(answer['token'], undefined);
  }

  async #accessToken(scopes: readonly string[]): Promise<Token> {
    const credentials = await this.#credentials();
    if (!credentials) return this.#machineToken(scopes);
    const answer = await this.#exchange(credentials, {scope: scopes.join(' ')});
    return this.#keep(answer['access_token'], answer['expires_in']);
  }

  async #identity(audience: string): Promise<Token> {
    const credentials = await this.#credentials();
    if (!credentials) return this.#keep(await this.#askMachine('identity', {audience, format: 'full'}), undefined);
    const answer = await this.#exchange(credentials, {target_audience: audience});
    return this.#keep(answer['id_token'], answer['expires_in']);
  }

  /** What the credentials give for a wish: a service account signs it, a person's token is renewed for it. */
  async #exchange(credentials: Credentials, wish: Readonly<Record<string, string>>): Promise<Table> {
    const form =
      credentials.type === 'service_account'
        ? {grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: this.#sign(credentials, wish)}
        : {
            grant_type: 'refresh_token',
            client_id: credentials.clientId,
            client_secret: credentials.clientSecret,
            refresh_token: credentials.refreshToken,
            ...wish,
          };
    return this.#post(credentials.tokenUrl, new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  }

  /** The token of a machine at Google. Its server answers no one else, so that its absence shows at once. */
  async #machineToken(scopes: readonly string[]): Promise<Token> {
    const answer: unknown = JSON.parse(await this.#askMachine('token', {scopes: scopes.join(',')}));
    return isTable(answer) ? this.#keep(answer['access_token'], answer['expires_in']) : this.#keep('', undefined);
  }

  async #askMachine(what: 'token' | 'identity', wish: Readonly<Record<string, string>>): Promise<string> {
    const {environment, fetch} = this.parts;
    const host = environment.variables['GCE_METADATA_HOST'] ?? 'metadata.google.internal';
    const query = new URLSearchParams(wish).toString();
    const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/${what}?${query}`;
    const missing = (cause?: unknown): Error =>
      new Error(
        `there are no credentials of Google in ${placeOfCredentials(environment)}; ` +
          'run gcloud auth application-default login',
        {cause},
      );
    const init = {
      headers: {'metadata-flavor': 'Google'},
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    } as const;
    const response = await fetch(url, init).catch((cause: unknown) => {
      throw missing(cause);
    });
    if (!response.ok) throw missing();
    return response.text();
  }

  /** A statement of a service account about itself. */
  #sign(
    {email, privateKey, tokenUrl}: Extract<Credentials, {type: 'service_account'}>,
    wish: Readonly<Record<string, string>>,
  ): string {
    const now = Math.floor(this.parts.now() / 1000);
    const claims = {iss: email, ...wish, aud: tokenUrl, iat: now, exp: now + 3600};
    const body = [{alg: 'RS256', typ: 'JWT'}, claims]
      .map((one) => Buffer.from(JSON.stringify(one)).toString('base64url'))
      .join('.');
    return `${body}.${createSign('RSA-SHA256').update(body).sign(privateKey, 'base64url')}`;
  }

  #keep(value: unknown, seconds: unknown): Token {
    if (typeof value !== 'string' || value === '') throw new Error('the answer of Google has no token');
    const lasts = typeof seconds === 'number' ? seconds * 1000 : USUAL_MS;
    return {value, until: this.parts.now() + lasts - MARGIN_MS};
  }

  #post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Table> {
    return this.#ask(url, {method: 'POST', headers, body});
  }

  async #ask(url: string, init: RequestInit): Promise<Table> {
    const response = await this.parts.fetch(url, {...init, redirect: 'error', signal: AbortSignal.timeout(20_000)});
    const answer: unknown = await response.json().catch(() => undefined);
    const said = isTable(answer) ? (answer['error_description'] ?? answer['error']) : undefined;
    if (!response.ok || !isTable(answer))
      throw new Error(
        `${new URL(url).host} gave no token (status ${response.status}${typeof said === 'string' ? `: ${said}` : ''})`,
      );
    return answer;
  }

  #credentials(): Promise<Credentials | undefined> {
    return readCredentials(placeOfCredentials(this.parts.environment));
  }
}
