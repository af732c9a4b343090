import type {Message, Piece, SideAnswer, SideRequest, ToolDeclaration} from '@gemini-kernel/plugin-agent/contract';
import {isTable} from '../config/is-table.js';
import type {SamplingAnswer, SamplingRequest} from '../connection/answer-server.js';

type Table = Readonly<Record<string, unknown>>;
type Answered = Extract<SideAnswer, {status: 'answered'}>;

/** The request of a server as one to a model, for at most so many tokens. */
export function toSideRequest(request: SamplingRequest, mostTokens: number): SideRequest {
  const {systemPrompt, temperature, toolChoice} = request;
  const wanted = request.maxTokens;
  return {
    ...(systemPrompt === undefined ? {} : {system: systemPrompt}),
    messages: toMessages(request),
    tools: toolChoice?.mode === 'none' ? [] : (request.tools ?? []).map(toTool),
    config: {
      maxOutputTokens: Math.max(1, Math.min(wanted, mostTokens)),
      ...(temperature === undefined ? {} : {temperature}),
    },
  };
}

function toTool({name, description = '', inputSchema}: Table): ToolDeclaration {
  return {name: String(name), description: String(description), input: isTable(inputSchema) ? inputSchema : {}};
}

/** Roles alternate: what one side says in several messages becomes one. */
function toMessages({messages}: SamplingRequest): readonly Message[] {
  const names = new Map<string, string>();
  const joined: {role: 'user' | 'model'; pieces: Piece[]}[] = [];
  for (const {role, content} of messages) {
    const side = role === 'assistant' ? 'model' : 'user';
    const pieces = [content]
      .flat()
      .filter(isTable)
      .flatMap((block) => toPieces(block, names));
    const last = joined.at(-1);
    if (last?.role === side) last.pieces.push(...pieces);
    else joined.push({role: side, pieces});
  }
  return joined.filter(({pieces}) => pieces.length > 0);
}

function toPieces(block: Table, names: Map<string, string>): readonly Piece[] {
  const {type} = block;
  if (type === 'text') return [{kind: 'text', text: String(block['text'])}];
  if (type === 'image' || type === 'audio')
    return [{kind: 'data', mimeType: String(block['mimeType']), data: String(block['data'])}];
  if (type === 'tool_use') {
    const {id, name, input} = block;
    names.set(String(id), String(name));
    return [{kind: 'call', id: String(id), name: String(name), input}];
  }
  if (type === 'tool_result') return [toResult(block, names)];
  return [];
}

function toResult({toolUseId, content, isError}: Table, names: ReadonlyMap<string, string>): Piece {
  const id = String(toolUseId);
  const texts = (Array.isArray(content) ? content : []).filter(isTable).map((one) => ({
    text: one['type'] === 'text' ? String(one['text']) : JSON.stringify(one),
  }));
  return {kind: 'result', id, name: names.get(id) ?? 'unknown', output: texts, failed: isError === true};
}

/** The answer of a model as its server gets it. */
export function toSamplingAnswer({model, pieces, end}: Answered): SamplingAnswer {
  const calls = pieces.flatMap((piece) =>
    piece.kind === 'call'
      ? [{type: 'tool_use' as const, id: piece.id, name: piece.name, input: isTable(piece.input) ? piece.input : {}}]
      : [],
  );
  const text = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
  const said = {type: 'text' as const, text};
  const stopReason = calls.length > 0 ? 'toolUse' : end === 'length' ? 'maxTokens' : 'endTurn';
  const base = {model, role: 'assistant' as const, stopReason};
  if (calls.length === 0) return {...base, content: said};
  return {...base, content: text === '' ? calls : [said, ...calls]};
}
