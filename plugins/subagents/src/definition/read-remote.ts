import type {HeadValue} from '@gemini-kernel/files';
import type {RemoteDefinition} from '../contract.js';
import {readAuth} from './read-auth.js';

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
  const auth = readAuth(text);
  if (typeof auth === 'string') return auth;
  return {...(url === '' ? {json} : {url}), ...auth};
}

function textOf(head: Head, key: string): string {
  const value = head.get(key);
  return typeof value === 'string' ? value.trim() : '';
}
