import type {Conversation, MadeCall, RefusedCall} from './conversation.js';

/** An event of `-o stream-json`, as far as it is read here. */
export interface StreamEvent {
  readonly type: string;
  readonly model?: string;
  readonly role?: string;
  readonly content?: string;
  readonly tool_name?: string;
  readonly tool_id?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly status?: string;
  readonly output?: string;
  readonly error?: {readonly type?: string; readonly code?: string; readonly message?: string; readonly exit?: number};
  readonly agent?: string;
  readonly event?: StreamEvent;
  readonly message?: string;
  readonly outcome?: string;
  readonly usage?: Readonly<Record<string, number>>;
  readonly cost?: number;
  readonly refused?: readonly {readonly tool_name: string; readonly reason: string}[];
}

/** The events in what a run printed; lines that are no events are left out. */
export function readEvents(text: string): readonly StreamEvent[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const event = JSON.parse(line) as StreamEvent;
      return typeof event.type === 'string' ? [event] : [];
    } catch (error) {
      // A run that was killed ends in the middle of a line.
      if (error instanceof SyntaxError) return [];
      throw error;
    }
  });
}

/** What the events of a run say; undefined for a run that has no result, such as one that was killed. */
export function readConversation(events: readonly StreamEvent[]): Conversation | undefined {
  const end = events.findLast(({type}) => type === 'result');
  if (end === undefined) return undefined;
  const {usage = {}, cost, refused = [], outcome = 'failed'} = end;
  const {requests: turns = 0, total_tokens: tokens = 0} = usage;
  return {
    model: events.find(({type}) => type === 'init')?.model ?? '',
    calls: readCalls(events),
    refused: refused.map(({tool_name: tool, reason}): RefusedCall => ({tool, reason})),
    answer: answerOf(events),
    ...{outcome, turns, tokens},
    ...errorOf(end),
    ...(cost === undefined ? {} : {cost}),
  };
}

function errorOf({error}: StreamEvent): Pick<Conversation, 'error'> {
  if (error === undefined) return {};
  const {code = 'UNKNOWN', message = '', exit = 1} = error;
  return {error: {code, message, exit}};
}

/** The text after the last call. */
function answerOf(events: readonly StreamEvent[]): string {
  const last = events.findLastIndex(({type}) => type === 'tool_use' || type === 'tool_result');
  const said = events.slice(last + 1).filter(({type, role}) => type === 'message' && role === 'assistant');
  return said.map(({content = ''}) => content).join('');
}

/** The calls of the conversation and of its agents, in the order in which they were made. */
function readCalls(events: readonly StreamEvent[]): readonly MadeCall[] {
  const calls = new Map<string, MadeCall>();
  for (const outer of events) {
    const {event, agent, by} = innermost(outer);
    const {type, tool_id: id = '', tool_name: tool = '', parameters: input = {}, output = ''} = event;
    // Agents have ids of their own.
    const key = JSON.stringify([by, agent, id]);
    if (type === 'tool_use') calls.set(key, {id, tool, input, output: '', ...(agent === undefined ? {} : {agent})});
    const made = type === 'tool_result' ? calls.get(key) : undefined;
    if (made) calls.set(key, {...made, status: statusOf(event), output});
  }
  return [...calls.values()];
}

/** The event of an agent, and of an agent of that one. `by` is the call that started the first. */
function innermost(outer: StreamEvent): {
  readonly event: StreamEvent;
  readonly agent: string | undefined;
  readonly by: string | undefined;
} {
  let event = outer;
  let agent: string | undefined;
  while (event.type === 'agent_event' && event.event) {
    agent = event.agent;
    event = event.event;
  }
  return {event, agent, by: event === outer ? undefined : outer.tool_id};
}

function statusOf({status, error}: StreamEvent): 'success' | 'error' | 'refused' {
  if (status === 'success') return 'success';
  return error?.type === 'CALL_REFUSED' ? 'refused' : 'error';
}
