import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {messageOf, type Environment} from '@gemini-kernel/kernel';
import {isTable} from '../../config/is-table.js';

/** What a file of Google's application default credentials contains. */
export type Credentials =
  | {
      readonly type: 'service_account';
      readonly email: string;
      readonly privateKey: string;
      readonly tokenUrl: string;
      readonly quotaProject?: string;
    }
  | {
      readonly type: 'authorized_user';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly tokenUrl: string;
      readonly quotaProject?: string;
    };

const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/** Where Google's own tools keep them; a variable names another file. */
export function placeOfCredentials({
  variables,
  home,
  platform,
}: Pick<Environment, 'variables' | 'home' | 'platform'>): string {
  const named = variables['GOOGLE_APPLICATION_CREDENTIALS'];
  if (named) return named;
  const folder =
    platform === 'win32' ? (variables['APPDATA'] ?? join(home, 'AppData', 'Roaming')) : join(home, '.config');
  return join(folder, 'gcloud', 'application_default_credentials.json');
}

/** Undefined when there is no file. Throws an Error whose message ends a sentence. */
export async function readCredentials(path: string): Promise<Credentials | undefined> {
  const text = await readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new Error(`the credentials in ${path} cannot be read: ${messageOf(error)}`);
  });
  if (text === undefined) return undefined;
  const found = toCredentials(parse(text));
  if (typeof found === 'string') throw new Error(`the credentials in ${path} cannot be used: ${found}`);
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is in the file is secret, so the message of the parser is not shown.
    return undefined;
  }
}

function toCredentials(value: unknown): Credentials | string {
  if (!isTable(value)) return 'they are not a JSON object';
  const text = (key: string): string => (typeof value[key] === 'string' ? value[key] : '');
  const tokenUrl = text('token_uri') || TOKEN_URL;
  if (!tokenUrl.startsWith('https://')) return 'token_uri is not https';
  const shared = {tokenUrl, ...(text('quota_project_id') === '' ? {} : {quotaProject: text('quota_project_id')})};
  if (value['type'] === 'service_account') {
    const [email, privateKey] = [text('client_email'), text('private_key')];
    return email && privateKey
      ? {type: 'service_account', email, privateKey, ...shared}
      : 'client_email or private_key is missing';
  }
  if (value['type'] !== 'authorized_user') return `their type is ${JSON.stringify(value['type'])}`;
  const [clientId, clientSecret, refreshToken] = [text('client_id'), text('client_secret'), text('refresh_token')];
  return clientId && clientSecret && refreshToken
    ? {type: 'authorized_user', clientId, clientSecret, refreshToken, ...shared}
    : 'client_id, client_secret or refresh_token is missing';
}
