import type {ScriptedAnswer, ScriptedPiece, ScriptedRefusal} from '@gemini-kernel/plugin-agent/testing';
import type {SeenRequest, TestedMessage, TestedPiece} from '@gemini-kernel/plugin-agent/testing';
import {findOpenaiFault, type ChatBody, type ChatContent, type ChatMessage} from './openai-request.js';
import {
  startScriptedServer,
  type Dialect,
  type RawRequest,
  type ReadRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from './scripted-server.js';

/** Starts a scripted server that speaks OpenAI's chat completions on loopback, below `/v1`. */
export function startOpenaiServer(options?: ScriptedServerOptions): Promise<ScriptedServer> {
  return startScriptedServer(openai, options);
}

const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  malformed: 'stop',
  blocked: 'content_filter',
  'prompt-blocked': 'content_filter',
  other: 'insufficient_system_resource',
};

const openai: Dialect = {
  read: readOpenai,
  frames: (answer, asked) =>
    framesOf(answer, asked).map((events) => events.map((event) => `data: ${event}\n\n`).join('')),
  whole: (answer, asked) => wholeOf(answer, asked),
  refuse: ({status, message = `The script answers ${status}.`, delayMs, quota, headers = {}}: ScriptedRefusal) => ({
    status,
    headers: {...(delayMs === undefined ? {} : {'retry-after': String(delayMs / 1000)}), ...headers},
    body: JSON.stringify({
      error: {message, type: 'scripted', param: null, code: quota === 'day' ? 'insufficient_quota' : null},
    }),
  }),
};

function readOpenai({method, url, body}: RawRequest, models: readonly string[]): ReadRequest {
  if (method === 'GET' && url.pathname === '/v1/models')
    return {
      kind: 'beside',
      body: {
        object: 'list',
        data: models.map((id) => ({id, object: 'model', created: 0, owned_by: 'scripted', max_model_len: 4096})),
      },
    };
  if (method !== 'POST' || url.pathname !== '/v1/chat/completions') return undefined;
  const fault = findOpenaiFault(body);
  const chat = fault === undefined ? (body as ChatBody) : {};
  return {kind: 'ask', isStream: chat.stream === true, asked: understand(chat), fault};
}

function understand({
  model = '',
  messages = [],
  tools = [],
  temperature,
  top_p: topP,
  max_tokens: maxOutputTokens,
  response_format,
}: ChatBody): Pick<SeenRequest, 'model' | 'system' | 'messages' | 'tools' | 'config'> {
  const config = {temperature, topP, maxOutputTokens, answer: response_format?.json_schema?.schema};
  const [first] = messages;
  return {
    model,
    system: first?.role === 'system' ? textOf(first.content) : '',
    messages: join(
      messages.filter(({role}) => role !== 'system'),
      messages,
    ),
    tools: tools.map(({function: {name, description = '', parameters = {}}}) => ({
      name,
      description,
      input: parameters,
    })),
    config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)),
  };
}

/** Results, and what the user says after them, are one message here. */
function join(messages: readonly ChatMessage[], all: readonly ChatMessage[]): readonly TestedMessage[] {
  const joined: {role: TestedMessage['role']; pieces: TestedPiece[]}[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'model' : 'user';
    const pieces = piecesOf(message, all);
    const last = joined.at(-1);
    if (last?.role === role) last.pieces.push(...pieces);
    else joined.push({role, pieces: [...pieces]});
  }
  return joined;
}

function piecesOf(
  {role, content, tool_calls = [], tool_call_id: id = ''}: ChatMessage,
  all: readonly ChatMessage[],
): readonly TestedPiece[] {
  if (role === 'tool') {
    const text = textOf(content);
    const name = all.flatMap((one) => one.tool_calls ?? []).find((call) => call.id === id)?.function.name ?? '';
    return [
      {kind: 'result', id, name, output: [{text: text.replace(/^Error: /, '')}], failed: text.startsWith('Error: ')},
    ];
  }
  const parts: readonly ChatContent[] = typeof content === 'string' ? [{type: 'text', text: content}] : (content ?? []);
  const said = parts.map((part): TestedPiece => {
    if (part.type === 'text') return {kind: 'text', text: part.text};
    const [, mimeType = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(part.image_url.url) ?? [];
    return {kind: 'data', mimeType, data};
  });
  return [
    ...said,
    ...tool_calls.map((call): TestedPiece => ({
      kind: 'call',
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    })),
  ];
}

function textOf(content: ChatMessage['content']): string {
  return typeof content === 'string'
    ? content
    : (content ?? []).map((part) => ('text' in part ? part.text : '')).join('');
}

function callOf(
  piece: Extract<ScriptedPiece, {kind: 'call'}>,
  index: number,
): {
  readonly index: number;
  readonly id?: string;
  readonly type: string;
  readonly function: {readonly name: string; readonly arguments: string};
} {
  const text = piece.raw ?? (piece.input === undefined ? '' : JSON.stringify(piece.input));
  return {
    index,
    ...(piece.id === undefined ? {} : {id: piece.id}),
    type: 'function',
    function: {name: piece.name, arguments: text},
  };
}

/** The events of each piece: a call comes in three. */
function framesOf(
  {pieces = [], usage, end = 'stop', model}: ScriptedAnswer,
  asked: {readonly model: string},
): readonly (readonly string[])[] {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    JSON.stringify({
      id: 'chatcmpl-scripted',
      object: 'chat.completion.chunk',
      created: 0,
      model: model ?? asked.model,
      choices,
      ...more,
    });
  const delta = (said: object): string => chunk([{index: 0, delta: said, finish_reason: null}]);
  let calls = 0;
  const said = pieces.map((piece): readonly string[] => {
    if (piece.kind === 'garbage') return [piece.text];
    if (piece.kind === 'text') return [delta({role: 'assistant', content: piece.text})];
    if (piece.kind === 'thought') return [delta({role: 'assistant', content: null, reasoning_content: piece.text})];
    const {
      index,
      function: {name, arguments: text},
      ...call
    } = callOf(piece, calls++);
    const half = Math.floor(text.length / 2);
    const rest = [text.slice(0, half), text.slice(half)].filter((part) => part !== '');
    return [
      delta({tool_calls: [{index, ...call, function: {name, arguments: ''}}]}),
      ...rest.map((part) => delta({tool_calls: [{index, function: {arguments: part}}]})),
    ];
  });
  if (end === 'none') return said;
  const finish = end === 'stop' && calls > 0 ? 'tool_calls' : FINISH[end];
  return [
    ...said,
    [
      chunk([{index: 0, delta: {}, finish_reason: finish}]),
      ...(usage ? [chunk([], {usage: countsOf(usage)})] : []),
      '[DONE]',
    ],
  ];
}

function wholeOf({pieces = [], usage, end = 'stop', model}: ScriptedAnswer, asked: {readonly model: string}): string {
  const content = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const calls = pieces.filter((piece) => piece.kind === 'call').map(callOf);
  const message = {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(calls.length > 0 ? {tool_calls: calls} : {}),
  };
  return JSON.stringify({
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: model ?? asked.model,
    choices: [{index: 0, message, finish_reason: FINISH[end]}],
    ...(usage ? {usage: countsOf(usage)} : {}),
  });
}

function countsOf({
  input = 0,
  output = 0,
  cached = 0,
  thoughts = 0,
  total,
}: NonNullable<ScriptedAnswer['usage']>): object {
  return {
    prompt_tokens: input,
    completion_tokens: output + thoughts,
    total_tokens: total ?? input + output + thoughts,
    ...(cached > 0 ? {prompt_tokens_details: {cached_tokens: cached}} : {}),
    ...(thoughts > 0 ? {completion_tokens_details: {reasoning_tokens: thoughts}} : {}),
  };
}
