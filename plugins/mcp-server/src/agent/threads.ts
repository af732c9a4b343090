import type {Progress} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import type {ConversationEvent, Conversations, LineEnd, TurnEnd} from '@gemini-kernel/plugin-agent/contract';
import type {CallToolResult} from '#sdk';
import type {} from '../contract.js';
import {LivePerson} from '../serve/live-person.js';
import {createProgress} from '../serve/progress.js';
import {createAsk} from '../serve/reach.js';
import {failWith} from '../serve/show-outcome.js';
import {createTell} from '../serve/tell-client.js';
import type {ClientCall} from '../serve/own-call.js';

const MOST_THREADS = 32;

interface Thread {
  readonly id: string;
  readonly conversations: Conversations;
  readonly person: LivePerson;
  detach(): void;
}

/** The conversations that one client started. No other client can name them. */
export class Threads {
  readonly #open = new Map<string, Thread>();

  async call(session: Session, call: ClientCall): Promise<CallToolResult> {
    const {name, input, reach} = call;
    const {prompt, thread_id: id, model} = (input ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof prompt !== 'string' || prompt === '') return failWith('The input needs "prompt", a text.');
    if (name === 'agent_start') {
      const thread = await this.#start(session, createAsk(reach) !== undefined);
      if (typeof model === 'string') await thread.conversations.setModel(thread.id, model);
      return this.#send(thread, prompt, call);
    }
    const thread = this.#open.get(String(id));
    if (thread) return this.#send(thread, prompt, call);
    return failWith(`There is no thread ${JSON.stringify(id)} of this client. Start one with agent_start.`);
  }

  async close(): Promise<void> {
    for (const thread of this.#open.values()) await end(thread);
    this.#open.clear();
  }

  async #start(session: Session, interactive: boolean): Promise<Thread> {
    const [oldest] = this.#open.values();
    if (oldest && this.#open.size >= MOST_THREADS) {
      this.#open.delete(oldest.id);
      await end(oldest);
    }
    const conversations = await session.service('conversations');
    const {id, session: name} = await conversations.open({interactive});
    const person = new LivePerson();
    const detach = await (await session.service('mcp-clients')).attach(name, person);
    const thread = {id, conversations, person, detach};
    this.#open.set(id, thread);
    return thread;
  }

  async #send({id, conversations, person}: Thread, prompt: string, call: ClientCall): Promise<CallToolResult> {
    const {signal, reach, context} = call;
    const following = new AbortController();
    const onEvent = createStream(createProgress(context));
    conversations.follow(id, {signal: following.signal, onEvent}).catch(() => undefined);
    const stop = (): void => void conversations.stop(id);
    signal.addEventListener('abort', stop, {once: true});
    try {
      return await person.during('', {ask: createAsk(reach), tell: createTell(context)}, async () =>
        showEnd(id, await conversations.send(id, {kind: 'prompt', text: prompt})),
      );
    } finally {
      signal.removeEventListener('abort', stop);
      following.abort();
    }
  }
}

async function end({id, conversations, detach}: Thread): Promise<void> {
  detach();
  await conversations.close(id).catch(() => undefined);
}

/** What the agent does, as progress: its text as it arrives, and a line for each call. */
function createStream(progress: (update: Progress) => void): (event: ConversationEvent) => void {
  return (event) => {
    if (event.kind === 'text' || event.kind === 'note') progress({text: event.text});
    if (event.kind === 'call') progress({text: `Calls ${event.tool}.`});
  };
}

function showEnd(id: string, end: LineEnd): CallToolResult {
  if (end.kind !== 'prompt') return failWith('The prompt was withdrawn.');
  const {status, text, error, changed, refused}: TurnEnd = end.turn;
  const lines = [text, ...(error ? [`${error.code}: ${error.message}`] : [])].filter((line) => line !== '');
  return {
    content: [{type: 'text', text: lines.join('\n')}],
    structuredContent: {
      ...{thread_id: id, status, text},
      ...{changed: [...changed], refused: refused.map(({tool}) => tool)},
      ...(error ? {error: {code: error.code, message: error.message}} : {}),
    },
    ...(status === 'done' ? {} : {isError: true}),
  };
}
