import type {Part} from '@gemini-kernel/kernel';
import type {CallRecord, Entry, Message, Piece, TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import {objectOf, textOf, type Loose} from './records.js';

/** Who wrote a user message when the line does not say: the shared format offers only the text to judge by. */
export function inferOrigin(pieces: readonly Piece[]): NonNullable<Entry['origin']> {
  if (pieces.some(({kind}) => kind === 'result')) return 'tools';
  const [first] = pieces;
  return first?.kind === 'text' && /^\s*<(?:session_context|hook_context)>/.test(first.text) ? 'agent' : 'person';
}

/** The entry in a message line of either program, or undefined when it contains none. */
export function lineToEntry(line: Loose): Entry | undefined {
  const {id, timestamp, type} = line;
  const kind = kindOf(type);
  if (typeof id !== 'string' || kind === undefined) return undefined;
  const given = objectOf(line['kernel']);
  const extra = given ?? {};
  const time = textOf(timestamp) ?? new Date(0).toISOString();
  const calls = readCalls(line['toolCalls'], extra, time);
  // This program stores a message whole; Gemini CLI stores the model's thoughts and calls separately.
  const isWhole = given !== undefined || kind !== 'model';
  const pieces = isWhole ? readPieces(line['content'], extra) : rebuildPieces(line, calls);
  const origin = originOf(extra['origin'] ?? (kind === 'user' ? inferOrigin(pieces) : undefined));
  return {
    id,
    time,
    kind,
    message: {role: roleOf(extra, kind), pieces},
    ...readShown(line),
    ...(kind === 'note' ? severityOf(type, extra) : {}),
    ...readAnswering(line),
    ...(calls ? {calls} : {}),
    ...(origin ? {origin} : {}),
  };
}

function readShown({displayContent}: Loose): Pick<Entry, 'shown'> {
  return displayContent === undefined ? {} : {shown: plainText(displayContent)};
}

/** Which model answered, and its token counts. */
function readAnswering({model, tokens}: Loose): Pick<Entry, 'model' | 'usage'> {
  const usage = readUsage(tokens);
  return {...(typeof model === 'string' ? {model} : {}), ...(usage ? {usage} : {})};
}

/** The kind of entry that a line of some type contains; undefined when it contains none. */
function kindOf(type: unknown): Entry['kind'] | undefined {
  if (type === 'gemini') return 'model';
  if (type === 'user') return 'user';
  return type === 'info' || type === 'warning' || type === 'error' ? 'note' : undefined;
}

function roleOf(extra: Loose, kind: Entry['kind']): Message['role'] {
  const role = extra['role'];
  if (role === 'model' || role === 'user') return role;
  return kind === 'model' ? 'model' : 'user';
}

/** The type of a note's line is its severity, unless the line says that it has none. */
function severityOf(type: unknown, extra: Loose): Pick<Entry, 'severity'> {
  return extra['severity'] === 'none' ? {} : {severity: type as NonNullable<Entry['severity']>};
}

function originOf(value: unknown): Entry['origin'] {
  return value === 'person' || value === 'tools' || value === 'agent' ? value : undefined;
}

function partsOf(content: unknown): readonly Loose[] {
  const list: readonly unknown[] = Array.isArray(content)
    ? content
    : content === undefined || content === null || content === ''
      ? []
      : [content];
  return list.flatMap((part): readonly Loose[] => (typeof part === 'string' ? [{text: part}] : listOfObjects([part])));
}

function listOfObjects(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value.map(objectOf).filter((one) => one !== undefined) : [];
}

/** The text of a content, without thoughts. */
export function plainText(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => (part['thought'] === true ? [] : (textOf(part['text']) ?? [])))
    .join('');
}

function readPieces(content: unknown, extra: Loose): readonly Piece[] {
  const [inputs, outputs] = [objectOf(extra['inputs']) ?? {}, objectOf(extra['outputs']) ?? {}];
  return partsOf(content).flatMap(
    (part, index) => readPiece(part, {input: objectOf(inputs[index]), output: outputs[index]}) ?? [],
  );
}

function readPiece(
  part: Loose,
  extra: {readonly input?: Loose | undefined; readonly output?: unknown},
): Piece | undefined {
  const {text, thoughtSignature} = part;
  const signature = typeof thoughtSignature === 'string' ? {signature: thoughtSignature} : {};
  const [call, response, data] = [
    objectOf(part['functionCall']),
    objectOf(part['functionResponse']),
    objectOf(part['inlineData']),
  ];
  if (call)
    return {
      kind: 'call',
      ...nameOf(call),
      input: extra.input ? extra.input['value'] : (objectOf(call['args']) ?? {}),
      ...signature,
    };
  if (response) return {kind: 'result', ...nameOf(response), ...readResult(response, extra.output)};
  if (data)
    return {
      kind: 'data',
      mimeType: textOf(data['mimeType']) ?? 'application/octet-stream',
      data: textOf(data['data']) ?? '',
    };
  return typeof text === 'string'
    ? {kind: part['thought'] === true ? 'thought' : 'text', text, ...signature}
    : undefined;
}

function nameOf(value: Loose): {id: string; name: string} {
  return {id: textOf(value['id']) ?? '', name: textOf(value['name']) ?? ''};
}

function readResult(response: Loose, kept: unknown): {output: readonly Part[]; failed: boolean} {
  const said = objectOf(response['response']) ?? {};
  const failed = said['output'] === undefined && said['error'] !== undefined;
  if (Array.isArray(kept)) return {output: kept as readonly Part[], failed};
  const value = failed ? said['error'] : (said['output'] ?? said['content'] ?? said);
  const text = typeof value === 'string' ? value : (textOf(objectOf(value)?.['message']) ?? JSON.stringify(value));
  const data = partsOf(response['parts']).flatMap((part) => readPiece(part, {}) ?? []);
  return {
    output: [
      ...(text === '' ? [] : [{text}]),
      ...data.flatMap((piece) =>
        piece.kind === 'data' ? [{inlineData: {mimeType: piece.mimeType, data: piece.data}}] : [],
      ),
    ],
    failed,
  };
}

/**
 * The model's message from the parts that Gemini CLI stores separately: thoughts, text, calls. Newer releases have
 * everything in the content.
 */
function rebuildPieces(line: Loose, calls: readonly CallRecord[] = []): readonly Piece[] {
  const content = readPieces(line['content'], {});
  if (content.some(({kind}) => kind === 'call' || kind === 'thought')) return content;
  const thoughts = listOfObjects(line['thoughts']);
  const thought = ({subject, description}: Loose): Piece => ({
    kind: 'thought',
    text: `${textOf(subject) ? `**${String(subject)}** ` : ''}${textOf(description) ?? ''}`,
  });
  return [
    ...thoughts.map(thought),
    ...content,
    ...calls.map(({id, name, input}): Piece => ({kind: 'call', id, name, input})),
  ];
}

const statuses: Readonly<Record<string, CallRecord['status']>> = {success: 'done', error: 'failed'};

function readCalls(value: unknown, extra: Loose, time: string): readonly CallRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const extras: readonly unknown[] = Array.isArray(extra['calls']) ? extra['calls'] : [];
  return value.flatMap((one, index) => {
    const call = objectOf(one);
    return call ? [readCall(call, objectOf(extras[index]) ?? {}, time)] : [];
  });
}

function readCall(call: Loose, extra: Loose, time: string): CallRecord {
  const [error, input] = [objectOf(extra['error']), objectOf(extra['input'])];
  const display = readDisplay(call['resultDisplay']);
  return {
    ...nameOf(call),
    input: input ? input['value'] : (objectOf(call['args']) ?? {}),
    status: extra['status'] === 'refused' ? 'refused' : (statuses[String(call['status'])] ?? 'aborted'),
    output: readOutput(call['result'], extra['output']),
    ms: typeof extra['ms'] === 'number' ? extra['ms'] : 0,
    time: textOf(call['timestamp']) ?? time,
    ...(display === undefined ? {} : {display}),
    ...(error ? {error: {code: textOf(error['code']) ?? '', message: textOf(error['message']) ?? ''}} : {}),
  };
}

function readOutput(result: unknown, kept: unknown): readonly Part[] {
  const results: readonly unknown[] = Array.isArray(result) ? result : [result];
  return results.flatMap((part): readonly Part[] => {
    const response = objectOf(objectOf(part)?.['functionResponse']);
    if (response) return readResult(response, kept).output;
    return typeof part === 'string' ? [{text: part}] : [];
  });
}

/** What was displayed for a call, as text; Gemini CLI stores a file change as an object. */
function readDisplay(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : (textOf(objectOf(value)?.['fileDiff']) ?? JSON.stringify(value));
}

function readUsage(value: unknown): TokenUsage | undefined {
  const tokens = objectOf(value);
  if (!tokens) return undefined;
  const count = (key: string): number => (typeof tokens[key] === 'number' ? tokens[key] : 0);
  return {
    input: count('input'),
    output: count('output'),
    cached: count('cached'),
    thoughts: count('thoughts'),
    tool: count('tool'),
    total: count('total'),
  };
}
