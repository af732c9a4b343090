import {isTable} from '../config/is-table.js';

type Table = Readonly<Record<string, unknown>>;

/** How tokens are obtained: a person logs in, or the program proves who it is. */
export type Grant = 'authorization_code' | 'client_credentials' | 'jwt-bearer';

/** The identity provider of an organisation that vouches for its people at other servers. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Where it exchanges statements, if it does not say so itself. */
  readonly tokenUrl?: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly idToken: string;
}

/** What the entry of a server says about authorization. */
export interface AuthConfig {
  /** False: tokens are never sent, and no login is offered. */
  readonly isOn: boolean;
  readonly grant: Grant;
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** An address where authorization servers can read who we are. */
  readonly clientMetadataUrl?: string;
  readonly privateKey?: string;
  readonly algorithm?: string;
  /** A signed statement about who we are, such as the token of a workload. */
  readonly assertion?: string;
  readonly identityProvider?: IdentityProvider;
  readonly scopes?: readonly string[];
  readonly audiences?: readonly string[];
  readonly redirectUri?: string;
  readonly issuer?: string;
  readonly authorizationUrl?: string;
  readonly tokenUrl?: string;
  readonly registrationUrl?: string;
  /** Whether tokens are bound to a key of ours. */
  readonly dpop: boolean;
}

const TEXTS = [
  ...(['clientId', 'clientSecret', 'privateKey', 'algorithm', 'assertion'] as const),
  ...(['clientMetadataUrl', 'redirectUri', 'issuer', 'authorizationUrl', 'tokenUrl', 'registrationUrl'] as const),
] as const;
const ADDRESSES: ReadonlySet<string> = new Set([
  ...['clientMetadataUrl', 'redirectUri', 'issuer', 'authorizationUrl', 'tokenUrl', 'registrationUrl'],
]);
type Choices = Pick<AuthConfig, 'isOn' | 'grant' | 'dpop'>;

const GRANTS: readonly Grant[] = ['authorization_code', 'client_credentials', 'jwt-bearer'];

/** Reads `oauth` and its neighbours in an entry of `mcpServers`; a text says what is wrong. */
export function readAuth(entry: Table): AuthConfig | string {
  const {oauth = {}} = entry;
  if (!isTable(oauth)) return 'oauth must be an object';
  const parts = [readStrings(oauth), readChoices(oauth), readLists(oauth), readIdentityProvider(oauth)] as const;
  const fault = parts.find((part) => typeof part === 'string');
  if (fault !== undefined) return fault;
  const config = Object.assign({}, ...parts) as AuthConfig;
  return findGap(config) ?? config;
}

function readChoices({enabled, grantType = GRANTS[0], dpop = false}: Table): Choices | string {
  const grant = GRANTS.find((one) => one === grantType);
  if (!grant) return `oauth.grantType must be one of ${GRANTS.join(', ')}, not ${JSON.stringify(grantType)}`;
  if (typeof dpop !== 'boolean') return 'oauth.dpop must be true or false';
  return {isOn: enabled !== false, grant, dpop};
}

function readStrings(oauth: Table): Partial<Record<(typeof TEXTS)[number], string>> | string {
  const found: Partial<Record<(typeof TEXTS)[number], string>> = {};
  for (const key of TEXTS) {
    const value = oauth[key];
    if (value === undefined) continue;
    if (typeof value !== 'string') return `oauth.${key} must be text`;
    if (ADDRESSES.has(key) && !URL.canParse(value)) return `oauth.${key} is not an address: ${JSON.stringify(value)}`;
    if (value !== '') found[key] = value;
  }
  return found;
}

function readLists(oauth: Table): Pick<AuthConfig, 'scopes' | 'audiences'> | string {
  const {scopes, audiences} = oauth;
  const isList = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (scopes !== undefined && !isList(scopes)) return 'oauth.scopes must be a list of texts';
  if (audiences !== undefined && !isList(audiences)) return 'oauth.audiences must be a list of texts';
  return {...(scopes ? {scopes} : {}), ...(audiences ? {audiences} : {})};
}

function readIdentityProvider({identityProvider: value}: Table): Pick<AuthConfig, 'identityProvider'> | string {
  if (value === undefined) return {};
  if (!isTable(value)) return 'oauth.identityProvider must be an object';
  const {issuer, clientId, idToken, clientSecret, tokenUrl} = value;
  const isAddress = (one: unknown): one is string => typeof one === 'string' && URL.canParse(one);
  if (!isAddress(issuer)) return 'oauth.identityProvider.issuer must be an address';
  if (tokenUrl !== undefined && !isAddress(tokenUrl)) return 'oauth.identityProvider.tokenUrl must be an address';
  if (typeof clientId !== 'string' || typeof idToken !== 'string')
    return 'oauth.identityProvider needs clientId and idToken';
  if (clientSecret !== undefined && typeof clientSecret !== 'string')
    return 'oauth.identityProvider.clientSecret must be text';
  return {
    identityProvider: {
      ...{issuer, clientId, idToken},
      ...(clientSecret === undefined ? {} : {clientSecret}),
      ...(tokenUrl === undefined ? {} : {tokenUrl}),
    },
  };
}

/** What a grant needs and the entry does not have. */
function findGap(config: AuthConfig): string | undefined {
  const {grant, clientId, clientSecret, privateKey, assertion, identityProvider} = config;
  if (config.authorizationUrl !== undefined && config.tokenUrl === undefined)
    return 'oauth.authorizationUrl needs oauth.tokenUrl';
  if (grant === 'client_credentials' && (!clientId || !(clientSecret ?? privateKey)))
    return 'oauth.grantType client_credentials needs clientId, and clientSecret or privateKey';
  if (grant === 'jwt-bearer' && !assertion && !identityProvider)
    return 'oauth.grantType jwt-bearer needs assertion or identityProvider';
  return undefined;
}
