import type {ModelEvent, TokenUsage} from '@gemini-kernel/plugin-agent/contract';

interface Delta {
  readonly content?: string | readonly {readonly text?: string}[] | null;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
}

interface CallDelta {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: {readonly name?: string | null; readonly arguments?: unknown};
}

interface Counts {
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
  readonly total_tokens?: number;
  readonly prompt_tokens_details?: {readonly cached_tokens?: number} | null;
  readonly completion_tokens_details?: {readonly reasoning_tokens?: number} | null;
}

interface Choice {
  readonly delta?: Delta;
  readonly message?: Delta;
  readonly finish_reason?: string | null;
}

/** A piece of an answer, or a whole one (`message`), as servers send it. */
export interface Chunk {
  readonly model?: string;
  readonly choices?: readonly Choice[];
  readonly usage?: Counts | null;
  readonly error?: unknown;
}

interface OpenCall {
  id: string;
  name: string;
  text: string;
}

const REASONS: Readonly<Record<string, 'stop' | 'length'>> = {
  stop: 'stop',
  tool_calls: 'stop',
  function_call: 'stop',
  length: 'length',
};

/** Reads an answer piece by piece; calls are held back until they are whole. */
export class AnswerReader {
  readonly #calls: OpenCall[] = [];
  readonly #places = new Map<number, OpenCall>();
  #finish: string | undefined;
  #model: string | undefined;

  constructor(private readonly newId: () => string) {}

  /** Why the server said that it ended; undefined when it did not. */
  get finish(): string | undefined {
    return this.#finish;
  }

  read({model, choices = [], usage}: Chunk): readonly ModelEvent[] {
    this.#model = model ?? this.#model;
    const [choice] = choices;
    return [
      ...(choice ? this.#readChoice(choice) : []),
      ...(usage ? [{kind: 'usage', usage: readUsage(usage)} as const] : []),
    ];
  }

  #readChoice({delta, message, finish_reason}: Choice): readonly ModelEvent[] {
    // A whole answer is at its end, whether it says so or not.
    this.#finish = finish_reason ?? this.#finish ?? (message ? 'stop' : undefined);
    const said = delta ?? message;
    return said ? this.#readDelta(said) : [];
  }

  /** The calls, and the end. */
  finished(): readonly ModelEvent[] {
    const finish = this.#finish ?? 'stop';
    const reason = Object.hasOwn(REASONS, finish) ? (REASONS[finish] ?? 'other') : 'other';
    const known = new Map<string, string>();
    const calls = this.#calls.flatMap((call): readonly ModelEvent[] => {
      const what = JSON.stringify([call.name, call.text]);
      // What is only said again is no call.
      if (call.id !== '' && known.get(call.id) === what) return [];
      const id = call.id === '' || known.has(call.id) ? this.newId() : call.id;
      known.set(id, what);
      return [{kind: 'call', id, name: call.name, ...parseInput(call.text)}];
    });
    return [
      ...calls,
      {
        kind: 'end',
        reason,
        ...(reason === 'other' ? {detail: finish} : {}),
        ...(this.#model ? {model: this.#model} : {}),
      },
    ];
  }

  #readDelta({content, refusal, reasoning_content, reasoning, tool_calls}: Delta): readonly ModelEvent[] {
    for (const call of tool_calls ?? []) this.#readCall(call);
    const thought = reasoning_content || reasoning;
    const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
    const words = text || refusal;
    return [
      ...(thought ? [{kind: 'thought', text: thought} as const] : []),
      ...(words ? [{kind: 'text', text: words} as const] : []),
    ];
  }

  #readCall({index, id, function: {name, arguments: input} = {}}: CallDelta): void {
    const call = this.#findOpen(index, id) ?? this.#open(index, id);
    if (call.name === '') call.name = name ?? '';
    if (input !== undefined && input !== null) call.text += typeof input === 'string' ? input : JSON.stringify(input);
  }

  /** Pieces of one call share an index; where there is none, an id begins a new one. */
  #findOpen(index: number | undefined, id: CallDelta['id']): OpenCall | undefined {
    const call = index === undefined ? (id ? undefined : this.#calls.at(-1)) : this.#places.get(index);
    // Some servers number every call 0.
    return call && id && call.id !== '' && call.id !== id ? undefined : call;
  }

  #open(index: number | undefined, id: CallDelta['id']): OpenCall {
    const call: OpenCall = {id: id ?? '', name: '', text: ''};
    this.#calls.push(call);
    if (index !== undefined) this.#places.set(index, call);
    return call;
  }
}

function parseInput(text: string): {readonly input: unknown; readonly malformed?: string} {
  try {
    return {input: (text.trim() === '' ? undefined : JSON.parse(text)) ?? {}};
  } catch (error) {
    if (error instanceof SyntaxError) return {input: undefined, malformed: text};
    throw error;
  }
}

function readUsage(counts: Counts): TokenUsage {
  const {
    prompt_tokens: input = 0,
    completion_tokens = 0,
    total_tokens,
    prompt_tokens_details,
    completion_tokens_details,
  } = counts;
  const thoughts = completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    input,
    output: Math.max(completion_tokens - thoughts, 0),
    cached: prompt_tokens_details?.cached_tokens ?? 0,
    thoughts,
    tool: 0,
    total: total_tokens ?? input + completion_tokens,
  };
}
