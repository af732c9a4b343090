import type {Client} from '../sdk/client.js';
import type {ServerLog} from './server-log.js';

type Sdk = typeof import('../sdk/client.js');

/** What a connection answers to its server. */
export interface ServerEars {
  roots(): Promise<readonly {readonly uri: string; readonly name: string}[]>;
  elicit(request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer>;
  /** Present where the server may ask the model. Throws what the server is to read. */
  readonly sample?: (request: SamplingRequest, signal: AbortSignal) => Promise<SamplingAnswer>;
  /** A list of the server has changed. */
  changed(): void;
  /** A resource that was subscribed to has changed. */
  updated(uri: string): void;
  log(level: string, text: string): void;
}

/** A question of a server, as the protocol has it. */
export interface ElicitRequest {
  readonly message: string;
  readonly mode?: string | undefined;
  readonly url?: string | undefined;
  readonly requestedSchema?: unknown;
}

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Readonly<Record<string, string | number | boolean | string[]>>;
}

/** A request of a server to the model, as the protocol has it. */
export interface SamplingRequest {
  readonly messages: readonly {readonly role: 'user' | 'assistant'; readonly content: unknown}[];
  readonly systemPrompt?: string | undefined;
  readonly maxTokens: number;
  readonly temperature?: number | undefined;
  readonly tools?: readonly Readonly<Record<string, unknown>>[] | undefined;
  readonly toolChoice?: {readonly mode?: string | undefined} | undefined;
}

type Said = {type: 'text'; text: string};
type Used = {type: 'tool_use'; id: string; name: string; input: Record<string, unknown>};

export interface SamplingAnswer {
  readonly model: string;
  readonly role: 'assistant';
  readonly stopReason: string;
  readonly content: Said | (Said | Used)[];
}

/** JSON-RPC: the person, or a limit of theirs, refused. */
const REFUSED = -1;

/** What a client says about itself in the handshake. */
export function capabilitiesFor({sample}: ServerEars) {
  return {
    roots: {listChanged: true},
    elicitation: {form: {applyDefaults: true}, url: {}},
    ...(sample ? {sampling: {tools: {}}} : {}),
  };
}

/** Has a client answer what its server asks. */
export function answerServer({ProtocolError}: Sdk, client: Client, ears: ServerEars, log: ServerLog): void {
  client.setRequestHandler('roots/list', async () => ({roots: [...(await ears.roots())]}));
  client.setRequestHandler('elicitation/create', async ({params}, {mcpReq}) => {
    const {action, content} = await ears.elicit(params, mcpReq.signal);
    return {action, ...(content ? {content: {...content}} : {})};
  });
  const {sample} = ears;
  if (sample)
    client.setRequestHandler('sampling/createMessage', async ({params}, {mcpReq}) => {
      try {
        return {...(await sample(params, mcpReq.signal))};
      } catch (error) {
        throw new ProtocolError(REFUSED, error instanceof Error ? error.message : String(error));
      }
    });
  client.setNotificationHandler('notifications/resources/updated', ({params: {uri}}) => ears.updated(uri));
  client.setNotificationHandler('notifications/message', ({params: {level, data, logger}}) => {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    log.write(`[${level}] ${logger === undefined ? '' : `${logger}: `}${text}\n`);
    ears.log(level, text);
  });
}
