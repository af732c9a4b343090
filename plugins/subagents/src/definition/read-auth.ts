import {readHeadTable, type HeadTable} from '@gemini-kernel/files';
import type {RemoteDefinition} from '../contract.js';

/** How a remote agent knows the person. */
export type Auth = Pick<RemoteDefinition, 'auth' | 'login'>;

/** Reads `auth` in the head of an agent; a text says what is wrong, as a sentence without its subject. */
export function readAuth(text: string): Auth | string {
  const table = readHeadTable(text, 'auth');
  if (table === undefined) return {};
  if (typeof table === 'string') return table;
  const type = textOf(table, 'type');
  if (type === 'apiKey') return readKey(table);
  if (type === 'http') return readHttp(table);
  if (type !== 'oauth' && type !== 'google-credentials')
    return (
      `has an auth of the type ${JSON.stringify(type.slice(0, 40))}; there are apiKey, http, oauth and ` +
      'google-credentials'
    );
  return type === 'oauth' ? readOAuth(table) : readGoogle(table);
}

function readKey(table: HeadTable): Auth | string {
  const [header, value] = [textOf(table, 'name') || 'X-API-Key', textOf(table, 'key')];
  if (!/^[A-Za-z0-9-]{1,80}$/.test(header)) return 'has an auth with a name that is no header';
  return value === '' ? 'has an auth of the type apiKey without key' : {auth: {header, value}};
}

function readHttp(table: HeadTable): Auth | string {
  const [scheme, name] = [textOf(table, 'scheme'), textOf(table, 'username')];
  const header = 'authorization';
  if (/^basic$/i.test(scheme) && name !== '') return {auth: {header, basic: [name, textOf(table, 'password')]}};
  const value = textOf(table, 'token') || textOf(table, 'value');
  if (value !== '' && /^[A-Za-z][\w-]{0,40}$/.test(scheme)) return {auth: {header, scheme, value}};
  return /^basic$/i.test(scheme)
    ? 'has a Basic auth without username'
    : 'has an auth of the type http without scheme and token';
}

function readOAuth(table: HeadTable): Auth | string {
  const [clientId, clientSecret] = [textOf(table, 'client_id'), textOf(table, 'client_secret')];
  const [authorizationUrl, tokenUrl] = [textOf(table, 'authorization_url'), textOf(table, 'token_url')];
  const scopes = readScopes(table);
  if (typeof scopes === 'string') return scopes;
  for (const [key, address] of Object.entries({authorization_url: authorizationUrl, token_url: tokenUrl}))
    if (address !== '' && !URL.canParse(address))
      return `has an auth with the ${key} ${JSON.stringify(address.slice(0, 80))}, which is no address`;
  if ((authorizationUrl === '') !== (tokenUrl === ''))
    return 'has an auth with one of authorization_url and token_url; it needs both or neither';
  const texts = Object.entries({clientId, clientSecret, authorizationUrl, tokenUrl}).filter(
    ([, value]) => value !== '',
  );
  return {login: {kind: 'oauth', ...Object.fromEntries(texts), ...scopes}};
}

function readGoogle(table: HeadTable): Auth | string {
  const scopes = readScopes(table);
  return typeof scopes === 'string' ? scopes : {login: {kind: 'google', ...scopes}};
}

function readScopes({scopes}: HeadTable): {readonly scopes?: readonly string[]} | string {
  if (scopes === undefined) return {};
  const list = typeof scopes === 'string' ? scopes.split(/[\s,]+/).filter((one) => one !== '') : scopes;
  return Array.isArray(list)
    ? {scopes: list as readonly string[]}
    : 'has an auth with scopes that are no list of texts';
}

function textOf(table: HeadTable, key: string): string {
  const value = table[key];
  return typeof value === 'string' ? value : '';
}

/** What a definition takes of the person: variables, and outputs of commands. */
export function findTaken({auth, login}: RemoteDefinition): {readonly variable?: string; readonly command?: string} {
  const texts = [
    auth?.value,
    ...(auth?.basic ?? []),
    ...(login?.kind === 'oauth' ? [login.clientId, login.clientSecret] : []),
  ];
  const variable = texts.find((text) => text !== undefined && /^\$(?!\$)/.test(text));
  const command = texts.find((text) => text !== undefined && isCommand(text));
  return {...(variable === undefined ? {} : {variable}), ...(command === undefined ? {} : {command})};
}

/** `!command`, but not `!!`, which stands for one sign. */
export function isCommand(text: string): boolean {
  return /^!(?!!)/.test(text);
}
