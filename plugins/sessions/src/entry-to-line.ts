import type {CallRecord, Entry, Piece} from '@gemini-kernel/plugin-agent/contract';
import type {Part} from '@gemini-kernel/kernel';
import {inferOrigin} from './line-to-entry.js';
import {objectOf, type CallExtra, type CallLine, type Extra, type MessageLine, type RecordPart} from './records.js';

/**
 * The line that stores an entry. What the format cannot express goes to `kernel`, so that the entry can be read back
 * completely.
 */
export function entryToLine(entry: Entry): MessageLine {
  const {id, time, kind, message, shown} = entry;
  const {content, inputs, outputs} = writePieces(message.pieces);
  const extra: Extra = {
    ...describeWriter(entry),
    ...(inputs ? {inputs} : {}),
    ...(outputs ? {outputs} : {}),
    ...(entry.calls ? {calls: entry.calls.map(callExtra)} : {}),
    ...(entry.origin === usualOrigin(entry) ? {} : {origin: entry.origin ?? 'none'}),
  };
  return {
    id,
    timestamp: time,
    type: typeOf(entry),
    content,
    ...(shown === undefined ? {} : {displayContent: [{text: shown}]}),
    ...(kind === 'model' ? {thoughts: writeThoughts(entry), tokens: entry.usage ?? null} : {}),
    ...(entry.model === undefined ? {} : {model: entry.model}),
    ...(entry.calls ? {toolCalls: entry.calls.map(writeCall)} : {}),
    kernel: extra,
  };
}

function typeOf({kind, severity = 'info'}: Entry): MessageLine['type'] {
  if (kind === 'model') return 'gemini';
  return kind === 'user' ? 'user' : severity;
}

/** The origin that a reader infers when the line names none. */
function usualOrigin({kind, message}: Entry): Entry['origin'] {
  return kind === 'user' ? inferOrigin(message.pieces) : undefined;
}

/** What the type of a line does not say about its author. */
function describeWriter({kind, message, severity}: Entry): Pick<Extra, 'role' | 'severity'> {
  const role = kind === 'model' ? 'model' : 'user';
  return {
    ...(message.role === role ? {} : {role: message.role}),
    ...(kind === 'note' && severity === undefined ? {severity: 'none'} : {}),
  };
}

function writePieces(pieces: readonly Piece[]): {
  content: readonly RecordPart[];
  inputs: Extra['inputs'];
  outputs: Extra['outputs'];
} {
  const inputs: Record<string, {value?: unknown}> = {};
  const outputs: Record<string, readonly Part[]> = {};
  const content = pieces.map((piece, index): RecordPart => {
    if (piece.kind === 'data') return {inlineData: {mimeType: piece.mimeType, data: piece.data}};
    if (piece.kind === 'result') {
      if (!isPlainOutput(piece.output)) outputs[index] = piece.output;
      return {functionResponse: writeResult(piece)};
    }
    const signature = piece.signature === undefined ? {} : {thoughtSignature: piece.signature};
    if (piece.kind === 'call') {
      if (!objectOf(piece.input)) inputs[index] = {value: piece.input};
      return {functionCall: {id: piece.id, name: piece.name, args: objectOf(piece.input) ?? {}}, ...signature};
    }
    return {text: piece.text, ...(piece.kind === 'thought' ? {thought: true} : {}), ...signature};
  });
  return {
    content,
    inputs: Object.keys(inputs).length > 0 ? inputs : undefined,
    outputs: Object.keys(outputs).length > 0 ? outputs : undefined,
  };
}

/** Whether an output is at most one text followed by data: all that a response can express. */
function isPlainOutput(output: readonly Part[]): boolean {
  return output.every((part, index) => 'inlineData' in part || (index === 0 && part.text !== ''));
}

/** The response part of a call's outcome. */
export function writeResult({
  id,
  name,
  output,
  failed,
}: {
  readonly id: string;
  readonly name: string;
  readonly output: readonly Part[];
  readonly failed: boolean;
}): NonNullable<RecordPart['functionResponse']> {
  const text = output.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
  const data = output.filter((part) => 'inlineData' in part);
  return {id, name, response: failed ? {error: text} : {output: text}, ...(data.length > 0 ? {parts: data} : {})};
}

/** What Gemini CLI shows as thoughts: a bold line is their subject. */
function writeThoughts({message, time}: Entry): NonNullable<MessageLine['thoughts']> {
  return message.pieces.flatMap((piece) => {
    if (piece.kind !== 'thought') return [];
    const [whole = '', subject = ''] = /^\s*\*\*(.+?)\*\*/.exec(piece.text) ?? [];
    return [{subject, description: piece.text.slice(whole.length).trim(), timestamp: time}];
  });
}

const statuses = {done: 'success', failed: 'error', refused: 'error', aborted: 'cancelled'} as const;

function writeCall({id, name, input, status, output, time, display}: CallRecord): CallLine {
  const result = [{functionResponse: writeResult({id, name, output, failed: status !== 'done'})}];
  return {
    id,
    name,
    args: objectOf(input) ?? {},
    result,
    status: statuses[status],
    timestamp: time,
    ...(display === undefined ? {} : {resultDisplay: display}),
  };
}

function callExtra({input, status, output, error, ms}: CallRecord): CallExtra {
  return {
    ms,
    ...(status === 'refused' ? {status} : {}),
    ...(error ? {error} : {}),
    ...(objectOf(input) ? {} : {input: {value: input}}),
    ...(isPlainOutput(output) ? {} : {output}),
  };
}
