import type {Environment} from '@gemini-kernel/kernel';
import type {LoginDesk} from '../contract.js';
import type {AuthConfig} from './auth-config.js';
import {AuthorizedFetch} from './authorized-fetch.js';
import type {CredentialStore} from './credential.js';
import {guardFetch, type Fetch} from './guarded-fetch.js';
import {logIn} from './login.js';
import type {Challenge} from './login-needed.js';
import {OAuthClient} from './oauth-client.js';

interface Parts {
  readonly server: string;
  /** What is there, as messages name it. */
  readonly subject: string;
  readonly address: string;
  /** Whether tokens for any path of the server count for the address. */
  readonly isWholeServer?: boolean;
  readonly config: AuthConfig;
  readonly version: string;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly store: CredentialStore;
  readonly sdk: typeof import('../sdk/client.js');
  readonly fetch: Fetch;
}

/** The authorization at one server. */
export class Authorization {
  readonly #client: OAuthClient;
  readonly #guarded: Fetch;

  constructor(private readonly parts: Parts) {
    const {fetch, address} = parts;
    this.#guarded = guardFetch(address, fetch);
    this.#client = new OAuthClient({...parts, fetch: this.#guarded});
  }

  /** Sends requests to the server, with its token. Throws LoginNeeded. */
  get fetch(): Fetch {
    const {parts} = this;
    if (!parts.config.isOn) return parts.fetch;
    return new AuthorizedFetch({...parts, client: this.#client, guarded: this.#guarded}).fetch;
  }

  /** Throws LoginNeeded, or an Error whose message ends a sentence. */
  async logIn(challenge: Challenge, desk: LoginDesk): Promise<void> {
    const {redirectUri} = this.parts.config;
    await logIn({...this.parts, ...desk, redirectUri, client: this.#client, guarded: this.#guarded, challenge});
  }
}
