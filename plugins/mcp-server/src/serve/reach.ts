import type {ElicitRequestFormParams, ElicitResult} from '#sdk';
import type {ClientCapabilities, ClientRequest} from '../contract.js';

/** Requests to a client by name. */
export type Requests = Readonly<Record<string, ClientRequest>>;
/** What a client answered, by the same names. */
export type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Sends requests to a client, and gives its answers; undefined when the call or the wait for them ended. */
export type Send = (requests: Requests, signal: AbortSignal) => Promise<Answers | undefined>;

/** The client whose request is under way. */
export interface Reach {
  readonly capabilities: ClientCapabilities;
  readonly send: Send;
}

/** Asks the person of a client. Undefined where the client cannot. */
export type Ask =
  ((request: ElicitRequestFormParams, signal: AbortSignal) => Promise<ElicitResult | undefined>) | undefined;

/** Whether the person of the client can be asked. */
export function canAsk({elicitation}: ClientCapabilities): boolean {
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation));
}

/** How the person of a client is asked. */
export function createAsk({capabilities, send}: Reach): Ask {
  if (!canAsk(capabilities)) return undefined;
  return async (params, signal) => {
    const answers = await send({answer: {method: 'elicitation/create', params: {...params}}}, signal);
    return answers && readElicitation(answers['answer']);
  };
}

function readElicitation(answer: Answers[string] | undefined): ElicitResult {
  const {action, content} = (answer ?? {}) as {readonly action?: unknown; readonly content?: ElicitResult['content']};
  return action === 'accept' ? {action, ...(content ? {content} : {})} : {action: 'cancel'};
}

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What is wanted and not declared; undefined when nothing is. */
export function findMissing(wanted: ClientCapabilities, declared: ClientCapabilities): ClientCapabilities | undefined {
  const {extensions = {}, ...plain} = wanted;
  const {extensions: has = {}, ...hasPlain} = declared;
  const missing = pick(plain, hasPlain);
  const missingExtensions = pick(extensions, has);
  if (Object.keys(missingExtensions).length > 0) return {...missing, extensions: missingExtensions};
  return Object.keys(missing).length > 0 ? missing : undefined;
}

function pick(wanted: Tables, declared: Tables): Tables {
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => declared[name] === undefined));
}

const NEEDS: Readonly<Record<ClientRequest['method'], ClientCapabilities>> = {
  'elicitation/create': {elicitation: {}},
  'sampling/createMessage': {sampling: {}},
  'roots/list': {roots: {}},
};

/** What a client must declare to get these requests. */
export function findNeeds(requests: Requests): ClientCapabilities {
  return Object.assign({}, ...Object.values(requests).map(({method}) => NEEDS[method])) as ClientCapabilities;
}
