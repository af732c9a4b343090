import {isTable} from '../../config/is-table.js';
import type {ServerOrigin} from '../../contract.js';

/** How a server gets a token of Google. */
export type GoogleConfig =
  /** An access token with these scopes. */
  | {readonly kind: 'credentials'; readonly scopes: readonly string[]}
  /** A statement of a service account for an audience. */
  | {readonly kind: 'impersonation'; readonly audience: string; readonly account: string}
  /** A statement about who these credentials are of, for an audience. */
  | {readonly kind: 'identity'; readonly audience: string};

type Table = Readonly<Record<string, unknown>>;

/** The only hosts that get an access token, as in Gemini CLI: with it, one could act for the person at Google. */
const HOSTS = /(^|\.)(googleapis\.com|luci\.app)$/;

/** Reads `authProviderType` and its neighbours; undefined for another way to authorize, a text says what is wrong. */
export function readGoogle(entry: Table, url: URL, {layer}: ServerOrigin): GoogleConfig | string | undefined {
  const {authProviderType: type = 'dynamic_discovery'} = entry;
  if (type === 'dynamic_discovery') return undefined;
  if (type === 'google_credentials') return readCredentialsType(entry, url);
  // A project would choose both the statement and who gets it.
  if (type === 'service_account_impersonation')
    return layer === 'workspace'
      ? 'authProviderType service_account_impersonation counts only in settings of the person or an administrator'
      : readImpersonation(entry, url);
  return (
    `authProviderType ${JSON.stringify(type)} is unknown; use dynamic_discovery, google_credentials or ` +
    'service_account_impersonation'
  );
}

function readCredentialsType({oauth}: Table, {protocol, hostname}: URL): GoogleConfig | string {
  const scopes = isTable(oauth) ? oauth['scopes'] : undefined;
  if (!isTexts(scopes)) return 'authProviderType google_credentials needs oauth.scopes';
  if (protocol !== 'https:' || !HOSTS.test(hostname))
    return 'authProviderType google_credentials is only for https addresses of googleapis.com and luci.app';
  return {kind: 'credentials', scopes};
}

function readImpersonation(
  {targetAudience: audience, targetServiceAccount: account}: Table,
  {protocol}: URL,
): GoogleConfig | string {
  if (typeof audience !== 'string' || typeof account !== 'string' || !/^[\w.-]+@[\w.-]+$/.test(account))
    return 'authProviderType service_account_impersonation needs targetAudience and targetServiceAccount';
  if (protocol !== 'https:') return 'authProviderType service_account_impersonation needs an https address';
  return {kind: 'impersonation', audience, account};
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

const EVERYTHING = 'https://www.googleapis.com/auth/cloud-platform';

/** As Gemini CLI has it: a service of Cloud Run gets a statement for itself, Google's own hosts get an access token. */
export function googleConfigFor(
  {protocol, hostname, origin}: URL,
  scopes: readonly string[] = [EVERYTHING],
): GoogleConfig {
  if (protocol === 'https:' && /(^|\.)run\.app$/.test(hostname)) return {kind: 'identity', audience: origin};
  if (protocol === 'https:' && HOSTS.test(hostname)) return {kind: 'credentials', scopes};
  throw new Error('credentials of Google are only for https addresses of googleapis.com, luci.app and run.app');
}
