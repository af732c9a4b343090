import {findSchemaFault} from './schema-fault.js';

/** A part of a message, as far as it is looked at. */
export type ChatContent =
  | {readonly type: 'text'; readonly text: string}
  | {readonly type: 'image_url'; readonly image_url: {readonly url: string}};

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content?: string | null | readonly ChatContent[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly type: string;
    readonly function: {readonly name: string; readonly arguments: string};
  }[];
  readonly tool_call_id?: string;
}

/** The body of a request for a completion. */
export interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly ChatMessage[];
  readonly stream?: boolean;
  readonly stream_options?: {readonly include_usage?: boolean};
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_tokens?: number;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: {readonly name?: string; readonly schema: Readonly<Record<string, unknown>>};
  };
  readonly tools?: readonly {
    readonly type: string;
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: Readonly<Record<string, unknown>>;
    };
  }[];
}

/**
 * The first thing in the body of a request that strict servers would not accept, or that no correct client sends, as a
 * sentence.
 */
export function findOpenaiFault(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'The body is not a JSON object.';
  const {model, messages = [], stream, stream_options, tools, response_format} = body as ChatBody;
  if (!model) return 'No model is named.';
  if (stream_options && !stream) return 'There are options of a stream, but none is asked for.';
  return (
    findMessagesFault(messages) ??
    findToolsFault(tools) ??
    (response_format?.json_schema && findSchemaFault(response_format.json_schema.schema))
  );
}

function findMessagesFault(messages: readonly ChatMessage[]): string | undefined {
  let open: string[] = [];
  let before: ChatMessage['role'] | undefined;
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    const {role, tool_calls = [], tool_call_id: id = ''} = message;
    if (role === 'tool') {
      if (!open.includes(id))
        return `${place} is the result of ${id === '' ? 'no call' : id}, which is not asked for here.`;
      open = open.filter((one) => one !== id);
    } else {
      if (open.length > 0) return `${place} comes before the results of ${open.join(', ')}.`;
      if (role === 'system' && index > 0) return `${place} is an instruction, but not the first message.`;
      if (role === before) return `${place} is of ${role} again.`;
      if (role === 'assistant' && (before === undefined || before === 'system'))
        return `${place} is of the assistant, but there is no question.`;
      open = tool_calls.map((call) => call.id);
    }
    const fault = findEmptiness(message, place) ?? findCallFault(message, place);
    if (fault !== undefined) return fault;
    before = role;
  }
  if (open.length > 0) return `There are no results of ${open.join(', ')}.`;
  return before === 'user' || before === 'tool' ? undefined : 'The last message asks nothing.';
}

function findEmptiness({role, content, tool_calls = []}: ChatMessage, place: string): string | undefined {
  if (role === 'tool') return typeof content === 'string' ? undefined : `${place} is a result that is not text.`;
  if (content === null || content === undefined) return tool_calls.length > 0 ? undefined : `${place} says nothing.`;
  if (content.length === 0) return `${place} is empty.`;
  if (typeof content === 'string') return undefined;
  return content.every((part) =>
    part.type === 'text' ? part.text !== '' : /^(https:|data:image\/[\w+.-]+;base64,.)/.test(part.image_url.url),
  )
    ? undefined
    : `${place} has an empty part.`;
}

function findCallFault({role, tool_calls = []}: ChatMessage, place: string): string | undefined {
  if (tool_calls.length > 0 && role !== 'assistant') return `${place} has calls, but is not of the assistant.`;
  if (new Set(tool_calls.map(({id}) => id)).size !== tool_calls.length)
    return `${place} has two calls with the same id.`;
  for (const {
    id,
    type,
    function: {name, arguments: text},
  } of tool_calls) {
    if (!id || type !== 'function' || !name) return `${place} has a call without id, type or name.`;
    if (!isObject(text)) return `${place} has a call whose arguments are no JSON object.`;
  }
  return undefined;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function findToolsFault(tools: ChatBody['tools']): string | undefined {
  if (tools?.length === 0) return 'The list of tools is empty.';
  const names = (tools ?? []).map((tool) => tool.function.name);
  if (new Set(names).size !== names.length) return `A tool is declared twice: ${names.join(', ')}.`;
  for (const {
    type,
    function: {name, description, parameters},
  } of tools ?? []) {
    if (type !== 'function' || !/^[\w-]{1,64}$/.test(name) || !description)
      return `The tool ${name} is not declared well.`;
    const fault = parameters && findSchemaFault(parameters);
    if (fault) return `The schema of the tool ${name} is invalid: ${fault}`;
  }
  return undefined;
}
