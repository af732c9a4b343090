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
  const {error, usage = {}, cost, refused = []} = end;
  return {
    model: events.find(({type}) => type === 'init')?.model ?? '',
    calls: readCalls(events),
    refused: refused.map(({tool_name: tool, reason}): RefusedCall => ({tool, reason})),
    answer: answerOf(events),
    outcome: end.outcome ?? 'failed',
    ...(error === undefined
      ? {}
      : {error: {code: error.code ?? 'UNKNOWN', message: error.message ?? '', exit: error.exit ?? 1}}),
    turns: usage['requests'] ?? 0,
    tokens: usage['total_tokens'] ?? 0,
    ...(cost === undefined ? {} : {cost}),
  };
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
    const {event, agent} = outer.type === 'agent_event' ? innermost(outer) : {event: outer, agent: undefined};
    const key = `${agent ?? ''}/${outer.type === 'agent_event' ? (outer.tool_id ?? '') : ''}/${event.tool_id ?? ''}`;
    if (event.type === 'tool_use') {
      const {tool_id: id = '', tool_name: tool = '', parameters: input = {}} = event;
      calls.set(key, {id, tool, input, output: '', ...(agent === undefined ? {} : {agent})});
    }
    const made = event.type === 'tool_result' ? calls.get(key) : undefined;
    if (made) calls.set(key, {...made, status: statusOf(event), output: event.output ?? ''});
  }
  return [...calls.values()];
}

function innermost(outer: StreamEvent): {readonly event: StreamEvent; readonly agent: string | undefined} {
  let {event, agent} = {event: outer, agent: outer.agent};
  while (event.type === 'agent_event' && event.event) {
    agent = event.agent;
    event = event.event;
  }
  return {event, agent};
}

function statusOf({status, error}: StreamEvent): 'success' | 'error' | 'refused' {
  if (status === 'success') return 'success';
  return error?.type === 'CALL_REFUSED' ? 'refused' : 'error';
}
