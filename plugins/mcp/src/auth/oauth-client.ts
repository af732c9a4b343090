import type {
  DpopSession,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '../sdk/client.js';
import type {AuthConfig} from './auth-config.js';
import type {Credential, CredentialStore} from './credential.js';
import type {Fetch} from './guarded-fetch.js';
import {LoginNeeded} from './login-needed.js';
import {bindKey} from './dpop-key.js';
import {machineToken} from './machine-token.js';

type Sdk = typeof import('../sdk/client.js');
type Context = {readonly issuer: string} | undefined;

interface Parts {
  readonly config: AuthConfig;
  /** The address of the server. */
  readonly address: string;
  /** Whether tokens for any path of the server count for the address. */
  readonly isWholeServer?: boolean;
  readonly version: string;
  readonly store: CredentialStore;
  readonly sdk: Sdk;
  /** For requests to authorization servers. */
  readonly fetch: Fetch;
}

/** A login in a browser. */
export interface Visit {
  readonly redirectUrl: string;
  readonly state: string;
  open(url: URL): Promise<void>;
}

/** Who we are to the authorization server of one MCP server, and what it gave us. */
export class OAuthClient implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly addClientAuthentication?: NonNullable<OAuthClientProvider['addClientAuthentication']>;
  readonly saveClientInformation?: NonNullable<OAuthClientProvider['saveClientInformation']>;
  readonly dpop?: () => Promise<DpopSession>;
  readonly validateResourceURL?: NonNullable<OAuthClientProvider['validateResourceURL']>;
  /** The login under way; without one, nothing is opened. */
  visit: Visit | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;
  #server: {readonly issuer: string; readonly resource?: string} | undefined;
  /** Tokens that the server refused in this run; what is kept may still be of use to others. */
  #refused: string | undefined;
  #ownTokens: StoredOAuthTokens | undefined;

  constructor(private readonly parts: Parts) {
    const {config, address, store, sdk} = parts;
    if (config.clientMetadataUrl !== undefined) this.clientMetadataUrl = config.clientMetadataUrl;
    if (config.clientId === undefined)
      this.saveClientInformation = async (information, context) => {
        const {issuer = ''} = context ?? {};
        await store.update(address, (kept) => ({...kept, clients: {...kept.clients, [issuer]: information}}));
      };
    if (config.privateKey !== undefined && config.clientId !== undefined)
      this.addClientAuthentication = sdk.createPrivateKeyJwtAuth({
        issuer: config.clientId,
        subject: config.clientId,
        privateKey: config.privateKey,
        alg: config.algorithm ?? 'RS256',
      });
    if (parts.isWholeServer)
      this.validateResourceURL = async (server, resource) => {
        if (resource === undefined || new URL(resource).origin === new URL(server).origin)
          return resource === undefined ? undefined : new URL(resource);
        throw new Error(`the server describes another one: ${new URL(resource).origin}`);
      };
    if (config.dpop) {
      let session: Promise<DpopSession> | undefined;
      this.dpop = () => (session ??= bindKey(sdk, store, address));
    }
  }

  /** Whether tokens come without a person. */
  get isMachine(): boolean {
    return this.parts.config.grant !== 'authorization_code';
  }

  get redirectUrl(): string | undefined {
    // Without a login the address is not used, but tells that a person is needed.
    return this.isMachine ? undefined : (this.visit?.redirectUrl ?? 'http://localhost/oauth/callback');
  }

  get clientMetadata(): OAuthClientMetadata {
    const {scopes, clientSecret} = this.parts.config;
    return {
      client_name: 'gemini',
      software_version: this.parts.version,
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
      ...(this.isMachine ? {} : {grant_types: ['authorization_code', 'refresh_token'], response_types: ['code']}),
      ...(scopes ? {scope: scopes.join(' ')} : {}),
    };
  }

  state(): string {
    return this.visit?.state ?? '';
  }

  async clientInformation(context?: Context): Promise<StoredOAuthClientInformation | undefined> {
    const {config, store, address} = this.parts;
    const kept = await store.read(address);
    if (config.clientId !== undefined) return configuredClient(config, kept?.boundTo);
    // Such a statement says who we are; there is no other name.
    if (config.assertion !== undefined && context) return {client_id: '', issuer: context.issuer};
    return this.#registered(kept?.clients?.[context?.issuer ?? ''] ?? kept?.clients?.['']);
  }

  /** A registration is for one address to return to; a login at another one registers again. */
  #registered(client: StoredOAuthClientInformation | undefined): StoredOAuthClientInformation | undefined {
    if (!this.visit) {
      if (client || this.isMachine) return client;
      throw new LoginNeeded('its authorization server is another one now');
    }
    const addresses: unknown = client && 'redirect_uris' in client && client.redirect_uris;
    const isSame = Array.isArray(addresses) && addresses.includes(this.visit.redirectUrl);
    return isSame || client?.client_id === this.clientMetadataUrl ? client : undefined;
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    const tokens = this.#ownTokens ?? (await this.parts.store.read(this.parts.address))?.tokens;
    return tokens?.access_token === this.#refused ? undefined : tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: Context): Promise<void> {
    const {config, store, address} = this.parts;
    this.#refused = undefined;
    // What a program can get again at any time is not kept.
    if (this.isMachine) {
      this.#ownTokens = tokens;
      return;
    }
    const {expires_in: seconds} = tokens;
    const expiry = seconds === undefined ? {} : {expiresAt: new Date(Date.now() + seconds * 1000).toISOString()};
    await store.update(address, ({wantedScope, ...kept}): Credential => {
      void wantedScope;
      const bound = config.clientId !== undefined && context ? {boundTo: context.issuer} : {};
      return {...kept, ...bound, tokens: {...keepRefresh(kept.tokens, tokens), ...expiry}};
    });
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const {audiences} = this.parts.config;
    if (!this.visit) throw new LoginNeeded('its tokens are no longer accepted and could not be renewed');
    if (audiences?.length) url.searchParams.set('audience', audiences.join(' '));
    await this.visit.open(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery ?? configuredServer(this.parts.config);
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  saveAuthorizationServerUrl(issuer: string): void {
    this.#server = {...this.#server, issuer};
  }

  saveResourceUrl(resource: string): void {
    this.#server = {issuer: '', ...this.#server, resource};
  }

  /** Another challenge may name another authorization server. */
  forgetDiscovery(): void {
    this.#discovery = undefined;
  }

  /** Keeps what is there: a server that fails once must not cost a login. */
  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'discovery') return this.forgetDiscovery();
    if (scope === 'all' || scope === 'tokens') this.#refused = (await this.tokens())?.access_token;
    if (scope === 'client' && this.visit) await this.#forgetClients();
  }

  /** A client that its server has forgotten is registered again, when a person logs in. */
  async #forgetClients(): Promise<void> {
    const {store, address} = this.parts;
    await store.update(address, ({clients, ...kept}) => {
      void clients;
      return kept;
    });
  }

  prepareTokenRequest(scope?: string): Promise<URLSearchParams> | undefined {
    const {config, sdk, fetch} = this.parts;
    if (!this.isMachine) return undefined;
    return machineToken({sdk, config, fetch, scope, server: this.#server ?? {issuer: ''}});
  }
}

/** The client that the settings name, for one authorization server only. */
function configuredClient(
  {clientId = '', clientSecret, issuer}: AuthConfig,
  boundTo: string | undefined,
): StoredOAuthClientInformation {
  const only = issuer ?? boundTo;
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : {client_secret: clientSecret}),
    ...(only === undefined ? {} : {issuer: only}),
  };
}

/** An answer without a new refresh token leaves the old one in force. */
function keepRefresh(before: StoredOAuthTokens | undefined, now: StoredOAuthTokens): StoredOAuthTokens {
  const old = before?.issuer === now.issuer ? before?.refresh_token : undefined;
  return now.refresh_token === undefined && old !== undefined ? {...now, refresh_token: old} : now;
}

/** The authorization server that the settings describe, which is then not asked about itself. */
function configuredServer(config: AuthConfig): OAuthDiscoveryState | undefined {
  const {authorizationUrl, tokenUrl, registrationUrl, issuer} = config;
  if (tokenUrl === undefined) return undefined;
  const {origin} = new URL(tokenUrl);
  return {
    authorizationServerUrl: issuer ?? origin,
    authorizationServerMetadata: {
      issuer: issuer ?? origin,
      authorization_endpoint: authorizationUrl ?? `${origin}/authorize`,
      token_endpoint: tokenUrl,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      ...(registrationUrl === undefined ? {} : {registration_endpoint: registrationUrl}),
    },
  };
}
