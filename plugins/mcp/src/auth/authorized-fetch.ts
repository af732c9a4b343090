import {messageOf} from '@gemini-kernel/kernel';
import type {CredentialStore} from './credential.js';
import type {Fetch} from './guarded-fetch.js';
import {LoginNeeded, type Challenge} from './login-needed.js';
import type {OAuthClient} from './oauth-client.js';
import {runFlow} from './run-flow.js';

interface Parts {
  readonly address: string;
  readonly client: OAuthClient;
  readonly store: CredentialStore;
  readonly sdk: typeof import('../sdk/client.js');
  readonly fetch: Fetch;
  /** The fetch for authorization servers. */
  readonly guarded: Fetch;
}

interface Answer {
  readonly response: Response;
  readonly token: string | undefined;
}

/** A fetch that sends the token of a server, renews it when it is refused, and says when only a login helps. */
export class AuthorizedFetch {
  readonly #send: Fetch;
  /** One renewal at a time: a refresh token counts once. */
  #renewing: Promise<void> | undefined;

  constructor(private readonly parts: Parts) {
    const {client, fetch, sdk} = parts;
    this.#send = client.dpop ? sdk.withDpopFromProvider(client)(fetch) : fetch;
  }

  /** For the transports of the SDK, whose bodies are texts, which can be sent again. Throws LoginNeeded. */
  readonly fetch: Fetch = async (url, init) => {
    const {response, token} = await this.#request(url, init);
    const challenge = this.#challengeOf(response);
    // A header of the settings is an answer of the person, and has no token to renew.
    if (!challenge || (token === undefined && new Headers(init?.headers).has('authorization'))) return response;
    await response.body?.cancel();
    await this.#renew(token, challenge);
    return (await this.#request(url, init)).response;
  };

  async #request(url: string | URL, init?: RequestInit): Promise<Answer> {
    const {address, client} = this.parts;
    const isOurs = new URL(url).origin === new URL(address).origin;
    const token = isOurs ? (await client.tokens())?.access_token : undefined;
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
    return {response: await this.#send(url, {...init, headers}), token};
  }

  #challengeOf(response: Response): Challenge | undefined {
    if (response.status !== 401 && response.status !== 403) return undefined;
    const {scope, resourceMetadataUrl, error} = this.parts.sdk.extractWWWAuthenticateParams(response);
    const isStepUp = response.status === 403;
    if (isStepUp && error !== 'insufficient_scope') return undefined;
    return {
      isStepUp,
      ...(scope === undefined ? {} : {scope}),
      ...(resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl}),
    };
  }

  #renew(token: string | undefined, challenge: Challenge): Promise<void> {
    return (this.#renewing ??= this.#authorize(token, challenge).finally(() => (this.#renewing = undefined)));
  }

  async #authorize(refused: string | undefined, challenge: Challenge): Promise<void> {
    const {client, store, address} = this.parts;
    const isRenewed = await store.alone(address, async () => {
      const tokens = await client.tokens();
      // Another call or process was faster.
      if (tokens && tokens.access_token !== refused) return true;
      if (client.isMachine) return this.#obtain(challenge);
      return !challenge.isStepUp && tokens?.refresh_token !== undefined && (await this.#refresh(challenge));
    });
    if (isRenewed) return;
    await this.#remember(challenge);
    const {scope} = challenge;
    const reason = challenge.isStepUp
      ? `it wants the permission "${scope ?? 'unnamed'}"`
      : refused === undefined
        ? 'you have not logged in yet'
        : 'your login has ended and could not be renewed';
    throw new LoginNeeded(reason, challenge);
  }

  async #obtain({scope, resourceMetadataUrl}: Challenge): Promise<boolean> {
    const {sdk, client, address, guarded} = this.parts;
    client.forgetDiscovery();
    await runFlow(sdk, client, {
      serverUrl: address,
      fetchFn: guarded,
      ...(scope === undefined ? {} : {scope}),
      ...(resourceMetadataUrl === undefined ? {} : {resourceMetadataUrl}),
    });
    return true;
  }

  /** False when only a login helps; what is kept stays. */
  async #refresh(challenge: Challenge): Promise<boolean> {
    try {
      return await this.#obtain(challenge);
    } catch (error) {
      if (error instanceof LoginNeeded) return false;
      throw new Error(`the login could not be renewed: ${messageOf(error)}`, {cause: error});
    }
  }

  /** Keeps which scopes are wanted, so that the next login asks for them, too. */
  async #remember({scope, isStepUp}: Challenge): Promise<void> {
    const {store, address, sdk} = this.parts;
    if (!isStepUp || scope === undefined) return;
    await store.update(address, (kept) => ({
      ...kept,
      wantedScope: sdk.computeScopeUnion(kept.wantedScope ?? kept.tokens?.scope, scope) ?? scope,
    }));
  }
}
