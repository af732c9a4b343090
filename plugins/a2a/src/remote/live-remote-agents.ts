import {ToolError, isToolError, messageOf, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-telemetry/contract';
import type {AgentCard, Client, SendMessageRequest} from '#client';
import type {RemoteAgent, RemoteAgents, RemoteAsked, RemoteCard, RemoteEnd, RemoteWatch} from '../contract.js';
import {Answer} from './answer.js';
import {describeLogins} from './describe-logins.js';
import {originOf, readCard} from './read-card.js';
import {remoteFetch, type Fetch} from './remote-fetch.js';

type Sdk = typeof import('#client');

interface Fetches {
  readonly sdk: Sdk;
  /** Without the login, and with it. */
  readonly open: Fetch;
  readonly known: Fetch;
  /** What `known` was made of. */
  readonly guard: Parameters<typeof remoteFetch>[0];
}

const POLL_MS = 1000;
const CANCEL_MS = 2000;
const LONGEST = 1024;

/** Agents of other programs, for one session: what a conversation with one said is known until the session ends. */
export class LiveRemoteAgents implements RemoteAgents {
  /** Contexts, and tasks that wait for an answer, by the places of agents. */
  readonly #open = new Map<string, {readonly contextId: string; readonly taskId: string}>();

  constructor(private readonly context: Pick<ServiceContext, 'service' | 'environment' | 'names' | 'session'>) {}

  async origin(agent: RemoteAgent): Promise<string> {
    return originOf(agent);
  }

  async card(agent: RemoteAgent, signal: AbortSignal): Promise<RemoteCard> {
    const {name, description, skills, supportedInterfaces} = await readCard(agent, await this.#fetches(agent, signal));
    return {
      name: cut(name),
      description: cut(description),
      skills: skills.slice(0, 50).map((skill) => ({name: cut(skill.name), description: cut(skill.description)})),
      addresses: supportedInterfaces.map(({url, protocolBinding, protocolVersion}) =>
        cut(`${url} (${protocolBinding} ${protocolVersion})`),
      ),
    };
  }

  async call({agent, prompt}: RemoteAsked, watch: RemoteWatch): Promise<RemoteEnd> {
    const {signal, onProgress} = watch;
    signal.throwIfAborted();
    const fetches = await this.#fetches(agent, signal);
    const key = agent.url ?? agent.json ?? '';
    const answer = new Answer(onProgress);
    let client: Client | undefined;
    try {
      const card = await readCard(agent, fetches);
      client = await this.#client(card, {
        ...fetches,
        known: remoteFetch({...fetches.guard, wants: describeLogins(card)}),
      });
      onProgress(`asks ${originOf(agent)}`);
      const stream = client.sendMessageStream(this.#request(prompt, this.#open.get(key), fetches.sdk), {signal});
      for await (const event of stream) answer.add(event);
      return this.#end(key, answer, await this.#follow(client, answer, {signal, states: statesOf(fetches.sdk)}));
    } catch (cause) {
      if (signal.aborted && client && answer.taskId !== '') await this.#cancel(client, answer.taskId);
      signal.throwIfAborted();
      if (isToolError(cause)) throw cause;
      throw new ToolError('REMOTE_AGENT_FAILED', `The agent at ${originOf(agent)} failed: ${messageOf(cause)}`, {
        cause,
      });
    }
  }

  /** Asks for the task until it has an end, where the stream ended before it. */
  async #follow(
    client: Client,
    answer: Answer,
    {signal, states}: {readonly signal: AbortSignal; readonly states: Readonly<Record<string, number>>},
  ): Promise<Pick<RemoteEnd, 'status' | 'reason'>> {
    for (;;) {
      const end = answer.end(states);
      if (end) return end;
      if (answer.taskId === '') return {status: 'failed', reason: 'it answered nothing'};
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, POLL_MS);
        signal.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason as Error)), {once: true});
      });
      answer.task(await client.getTask({tenant: '', id: answer.taskId, historyLength: 0}, {signal}));
    }
  }

  #end(key: string, answer: Answer, end: Pick<RemoteEnd, 'status' | 'reason'>): RemoteEnd {
    const {contextId, taskId, text, said} = answer;
    // An ended task takes no more messages; its context does.
    if (contextId !== '') this.#open.set(key, {contextId, taskId: end.status === 'asks' ? taskId : ''});
    return {...end, text: end.status === 'asks' && said !== '' ? said : text, contextId};
  }

  async #cancel(client: Client, id: string): Promise<void> {
    const request = {tenant: '', id, metadata: undefined};
    // The prompt is over; that the other side does not hear of it changes nothing here.
    await client.cancelTask(request, {signal: AbortSignal.timeout(CANCEL_MS)}).catch(() => undefined);
  }

  async #fetches(agent: RemoteAgent, signal: AbortSignal): Promise<Fetches> {
    const network = await this.context.service('network');
    const fetch: Fetch = (input, init) => network.fetch(input, init);
    const traceparent = await this.#trace();
    const base = {fetch, origin: originOf(agent), signal, traceparent};
    const guard = {...base, auth: agent.auth, login: agent.login};
    return {sdk: await import('#client'), open: remoteFetch(base), known: remoteFetch(guard), guard};
  }

  /** Where the prompt that runs is in the trace of telemetry, where that is on. */
  async #trace(): Promise<string | undefined> {
    const {names, service, session} = this.context;
    return names('telemetry').length > 0 ? (await service('telemetry')).parentFor(session.id) : undefined;
  }

  #client(card: AgentCard, {sdk, known}: Pick<Fetches, 'sdk' | 'known'>): Promise<Client> {
    const {ClientFactory, ClientFactoryOptions, DefaultAgentCardResolver, JsonRpcTransportFactory} = sdk;
    const options = {fetchImpl: known, legacyCompat: {enabled: true}};
    return new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory(options), new sdk.RestTransportFactory(options)],
        cardResolver: new DefaultAgentCardResolver(options),
      }),
    ).createFromAgentCard(card);
  }

  #request(
    text: string,
    open: {readonly contextId: string; readonly taskId: string} | undefined,
    {Role}: Sdk,
  ): SendMessageRequest {
    return {
      tenant: '',
      message: {
        messageId: this.context.environment.newId(),
        ...{contextId: open?.contextId ?? '', taskId: open?.taskId ?? '', role: Role.ROLE_USER},
        parts: [{content: {$case: 'text', value: text}, metadata: undefined, filename: '', mediaType: 'text/plain'}],
        ...{metadata: undefined, extensions: [], referenceTaskIds: []},
      },
      configuration: undefined,
      metadata: undefined,
    };
  }
}

function statesOf({TaskState}: Sdk): Readonly<Record<string, number>> {
  // An enumeration has its names and its numbers as keys.
  return TaskState as unknown as Readonly<Record<string, number>>;
}

function cut(text: string): string {
  return text.slice(0, LONGEST);
}
