import {ToolError} from '@gemini-kernel/kernel';
import type {AgentCard} from '#client';
import type {RemoteAgent} from '../contract.js';
import {readLimited} from './read-limited.js';
import {isSafeAddress, type Fetch} from './remote-fetch.js';

type Sdk = typeof import('#client');

const LARGEST = 1 << 20;
const CARD_MS = 30_000;

interface Asking {
  readonly sdk: Sdk;
  /** Without the login, and with it. */
  readonly open: Fetch;
  readonly known: Fetch;
}

/** The address at which a remote agent is. Throws ToolError REMOTE_CARD_INVALID. */
export function originOf({url, json}: RemoteAgent): string {
  const address = url ?? firstAddress(json ?? '');
  if (!URL.canParse(address)) throw invalid(`${JSON.stringify(address.slice(0, 200))} is not an address`);
  const parsed = new URL(address);
  if (isSafeAddress(parsed)) return parsed.origin;
  throw invalid(`${parsed.origin} is not encrypted: use https, or an address of this machine`);
}

/**
 * The card of a remote agent: asked for without the login first, which a card rarely needs. Only interfaces at the
 * place of the card are kept. Throws ToolError REMOTE_CARD_INVALID.
 */
export async function readCard(agent: RemoteAgent, {sdk, open, known}: Asking): Promise<AgentCard> {
  const origin = originOf(agent);
  const text = agent.json ?? (await fetchCard(agent.url ?? '', {open, known}));
  const card = normalize(parse(text), sdk);
  const own = card.supportedInterfaces.filter(({url}) => URL.canParse(url) && new URL(url).origin === origin);
  if (own.length === 0) {
    const named = card.supportedInterfaces.map(({url}) => url.slice(0, 100)).join(', ') || 'none';
    throw invalid(`the card of ${origin} names no address there: ${named}`);
  }
  return {...card, supportedInterfaces: own};
}

async function fetchCard(url: string, {open, known}: Pick<Asking, 'open' | 'known'>): Promise<string> {
  const init = {headers: {accept: 'application/json'}, signal: AbortSignal.timeout(CARD_MS)};
  try {
    let answer = await open(url, init);
    if (answer.status === 401 || answer.status === 403) {
      await answer.body?.cancel();
      answer = await known(url, init);
    }
    if (!answer.ok) throw invalid(`${url} answers ${answer.status} ${answer.statusText}`);
    const body = await readLimited(answer, LARGEST);
    if (body) return body.toString();
    throw invalid(`${url} has more than 1 MiB, which is no card`);
  } catch (cause) {
    if (cause instanceof ToolError) throw cause;
    const late = init.signal.aborted ? `it did not answer within ${CARD_MS / 1000} s` : (cause as Error).message;
    throw invalid(`${url} cannot be read: ${late}`, cause);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('the card is not JSON', cause);
  }
}

/** Cards of 1.0 and of 0.3. */
function normalize(value: unknown, {DefaultAgentCardResolver}: Sdk): AgentCard {
  try {
    const card = new DefaultAgentCardResolver({legacyCompat: {enabled: true}}).normalizeAgentCard(value);
    // What is made of JSON of strangers need not have its type.
    if (Array.isArray(card.supportedInterfaces)) return card;
    throw new TypeError('it has no interfaces');
  } catch (cause) {
    throw invalid(`the card is not one of A2A: ${(cause as Error).message}`, cause);
  }
}

function firstAddress(text: string): string {
  const card = parse(text) as {
    readonly url?: unknown;
    readonly supportedInterfaces?: readonly {readonly url?: unknown}[];
  };
  return String(card.url ?? card.supportedInterfaces?.[0]?.url ?? '');
}

function invalid(reason: string, cause?: unknown): ToolError {
  return new ToolError('REMOTE_CARD_INVALID', `The remote agent cannot be used: ${reason}.`, {cause});
}
