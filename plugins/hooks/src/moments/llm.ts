import type {
  Message,
  ModelConfig,
  ModelEvent,
  ModelRequest,
  OutgoingRequest,
  Piece,
} from '@gemini-kernel/plugin-agent/contract';
import {isTable} from '../is-table.js';

type Table = Readonly<Record<string, unknown>>;

interface PlainMessage {
  readonly role: string;
  readonly content: string;
}

/** Messages as hooks get them: text only. */
export function toPlain(messages: readonly Message[]): readonly PlainMessage[] {
  return messages.flatMap(({role, pieces}) => {
    const content = textOf(pieces);
    return content === '' ? [] : [{role, content}];
  });
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('\n');
}

/** A request as hooks get it, whatever the provider. */
export function toLlmRequest({model, request}: OutgoingRequest): Table {
  const {temperature, topP, maxOutputTokens} = request.config;
  const config = Object.fromEntries(
    Object.entries({temperature, topP, maxOutputTokens}).filter(([, value]) => value !== undefined),
  );
  const names = request.tools.map(({name}) => name);
  return {
    model: model.slice(model.indexOf(':') + 1),
    messages: toPlain(request.messages),
    config,
    ...(names.length > 0 ? {toolConfig: {mode: 'AUTO', allowedFunctionNames: names}} : {}),
  };
}

/** The request with what hooks changed. What they cannot see, such as calls and pictures, stays where it can. */
export function mergeRequest(given: OutgoingRequest, changed: Table): OutgoingRequest {
  const before = toLlmRequest(given);
  const {request} = given;
  const {model, messages, config, toolConfig} = changed;
  const provider = given.model.slice(0, given.model.indexOf(':') + 1);
  const isNewModel = typeof model === 'string' && model !== '' && model !== before['model'];
  const name = isNewModel ? model : request.model;
  const sent: ModelRequest = {
    ...request,
    model: name,
    ...(isTable(config) ? {config: {...request.config, ...readConfig(config)}} : {}),
    ...(isTable(toolConfig) ? {tools: chooseTools(request.tools, toolConfig)} : {}),
    ...mergeMessages(request, messages),
  };
  return {...given, ...(isNewModel ? {model: `${provider}${name}`} : {}), request: sent};
}

function readConfig(config: Table): ModelConfig {
  const {temperature, topP, maxOutputTokens} = config;
  return {
    ...(typeof temperature === 'number' ? {temperature} : {}),
    ...(typeof topP === 'number' ? {topP} : {}),
    ...(typeof maxOutputTokens === 'number' ? {maxOutputTokens} : {}),
  };
}

/** The tools that a choice leaves. */
export function chooseTools<T extends {readonly name: string}>(tools: readonly T[], choice: Table): readonly T[] {
  const {mode, allowedFunctionNames: names} = choice;
  if (mode === 'NONE') return [];
  return Array.isArray(names) && names.length > 0 ? tools.filter(({name}) => names.includes(name)) : tools;
}

function mergeMessages(request: ModelRequest, given: unknown): Partial<Pick<ModelRequest, 'messages' | 'system'>> {
  if (!Array.isArray(given)) return {};
  const all = given.flatMap((one: unknown) => readMessage(one));
  const system = all.filter(({role}) => role === 'system').map(({content}) => content);
  const wanted = all.filter(({role}) => role !== 'system');
  const plain = toPlain(request.messages);
  const isSameOrder = plain.length === wanted.length && plain.every(({role}, index) => role === wanted[index]?.role);
  return {
    ...(system.length > 0 ? {system: [request.system, ...system].join('\n\n')} : {}),
    messages: isSameOrder ? replaceTexts(request.messages, wanted) : rebuild(wanted),
  };
}

function readMessage(value: unknown): readonly PlainMessage[] {
  if (!isTable(value)) return [];
  const {role, content} = value;
  const text = typeof content === 'string' ? content : Array.isArray(content) ? content.map(partText).join('\n') : '';
  return [{role: role === 'model' || role === 'system' ? role : 'user', content: text}];
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  return isTable(part) && typeof part['text'] === 'string' ? part['text'] : '';
}

function replaceTexts(messages: readonly Message[], wanted: readonly PlainMessage[]): readonly Message[] {
  let next = 0;
  return messages.map((message) => {
    const text = textOf(message.pieces);
    if (text === '') return message;
    const content = wanted[next]?.content ?? text;
    next += 1;
    if (content === text) return message;
    const others = message.pieces.filter(({kind}) => kind !== 'text');
    return {...message, pieces: [...others, {kind: 'text' as const, text: content}]};
  });
}

/** Roles alternate. */
function rebuild(wanted: readonly PlainMessage[]): readonly Message[] {
  const messages: {role: 'user' | 'model'; pieces: Piece[]}[] = [];
  for (const {role, content} of wanted) {
    const side = role === 'model' ? 'model' : 'user';
    const piece = {kind: 'text' as const, text: content};
    const last = messages.at(-1);
    if (last?.role === side) last.pieces.push(piece);
    else messages.push({role: side, pieces: [piece]});
  }
  return messages;
}

const FINISHED: Readonly<Record<string, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  malformed: 'MALFORMED_FUNCTION_CALL',
};

/** A part of an answer as hooks get it; undefined for what they cannot read. */
export function toLlmResponse(event: ModelEvent): Table | undefined {
  if (event.kind === 'text')
    return {text: event.text, candidates: [{content: {role: 'model', parts: [event.text]}, index: 0}]};
  if (event.kind !== 'end') return undefined;
  const finishReason = FINISHED[event.reason] ?? 'OTHER';
  return {text: '', candidates: [{content: {role: 'model', parts: []}, finishReason, index: 0}]};
}

/** The text of an answer that a hook gives. */
export function textOfResponse(response: unknown): string | undefined {
  if (!isTable(response)) return undefined;
  const {text, candidates} = response;
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  const content = isTable(first) ? first['content'] : undefined;
  const parts: unknown = isTable(content) ? content['parts'] : undefined;
  if (Array.isArray(parts) && parts.length > 0) return parts.map(partText).join('');
  return typeof text === 'string' ? text : undefined;
}
