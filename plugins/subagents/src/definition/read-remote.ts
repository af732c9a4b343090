import {readHeadTable} from '@gemini-kernel/files';
import type {HeadValue} from '@gemini-kernel/files';
import type {RemoteDefinition} from '../contract.js';

type Head = ReadonlyMap<string, HeadValue>;

/** Minutes that a remote agent may take, unless its file says so. */
export const REMOTE_MINUTES = 30;

/** Whether a head is one of a remote agent. */
export function isRemote(head: Head): boolean {
  return head.get('kind') === 'remote' || head.has('agent_card_url') || head.has('agent_card_json');
}

/** Where a remote agent is, and its login; or what is wrong, as a sentence without its subject. */
export function readRemote(head: Head, text: string): RemoteDefinition | string {
  const [url, json] = [textOf(head, 'agent_card_url'), textOf(head, 'agent_card_json')];
  if ((url === '') === (json === '')) return 'needs agent_card_url or agent_card_json, and not both';
  if (url !== '' && !URL.canParse(url))
    return `has the agent_card_url ${JSON.stringify(url.slice(0, 80))}, which is no address`;
  const auth = readAuth(readHeadTable(text, 'auth'));
  if (typeof auth === 'string') return auth;
  return {...(url === '' ? {json} : {url}), ...(auth ? {auth} : {})};
}

/** The header of a login, with its value as it is written. */
function readAuth(table: ReturnType<typeof readHeadTable>): RemoteDefinition['auth'] | string {
  if (table === undefined || typeof table === 'string') return table;
  const of = (key: string): string => (typeof table[key] === 'string' ? table[key] : '');
  const type = of('type');
  if (type === 'apiKey') {
    const [header, value] = [of('name') || 'X-API-Key', of('key')];
    if (!/^[A-Za-z0-9-]{1,80}$/.test(header)) return 'has an auth with a name that is no header';
    return value === '' ? 'has an auth of the type apiKey without key' : {header, value};
  }
  if (type !== 'http') return `has an auth of the type ${JSON.stringify(type.slice(0, 40))}; there are apiKey and http`;
  const scheme = of('scheme');
  if (/^basic$/i.test(scheme))
    return of('username') === ''
      ? 'has a Basic auth without username'
      : {header: 'authorization', basic: [of('username'), of('password')]};
  const value = of('token') || of('value');
  if (value === '' || !/^[A-Za-z][\w-]{0,40}$/.test(scheme))
    return 'has an auth of the type http without scheme and token';
  return {header: 'authorization', scheme, value};
}

/** A value of a login: `$NAME` is a variable; `$$` and `!!` stand for one sign. Undefined for a variable that is not set. */
export function fillSecret(text: string, variables: Readonly<Record<string, string | undefined>>): string | undefined {
  if (text.startsWith('$$') || text.startsWith('!!')) return text.slice(1);
  return text.startsWith('$') ? variables[nameOf(text)] || undefined : text;
}

/** What a definition would take of the person: a variable, or the output of a command. */
export function findTaken({auth}: RemoteDefinition): string | undefined {
  return [auth?.value, ...(auth?.basic ?? [])].find((text) => text !== undefined && /^(?:\$(?!\$)|!(?!!))/.test(text));
}

export function nameOf(text: string): string {
  return text.replace(/^\$\{?/, '').replace(/\}$/, '');
}

function textOf(head: Head, key: string): string {
  const value = head.get(key);
  return typeof value === 'string' ? value.trim() : '';
}
