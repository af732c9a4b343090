import type {StoredOAuthClientInformation, StoredOAuthTokens} from '../sdk/client.js';

/** What is kept of the authorization at one address. */
export interface Credential {
  /** Tokens, with when they end. */
  readonly tokens?: StoredOAuthTokens & {readonly expiresAt?: string};
  /** Who we are at each authorization server, by its issuer. */
  readonly clients?: Readonly<Record<string, StoredOAuthClientInformation>>;
  /** The authorization server that a configured client was first used with. */
  readonly boundTo?: string;
  /** Scopes that the server asked for beyond those we have. */
  readonly wantedScope?: string;
  /** The private key that tokens are bound to, as a JWK. */
  readonly key?: Readonly<Record<string, unknown>>;
}

/** Keeps the credentials of servers, by address. */
export interface CredentialStore {
  read(address: string): Promise<Credential | undefined>;
  /** Replaces what is kept; undefined removes it. Returns what was there. */
  update(address: string, change: (credential: Credential) => Credential | undefined): Promise<Credential | undefined>;
  /** Runs one of these at a time, in all processes: a refresh token is used once. */
  alone<T>(address: string, act: () => Promise<T>): Promise<T>;
}
