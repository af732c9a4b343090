import type {Part} from '@gemini-kernel/kernel';
import type {CallRecord, Entry, Message, Piece, TokenUsage} from '@gemini-kernel/plugin-agent/contract';
import {objectOf, textOf, type Loose} from './records.js';

/** Who wrote a message of the user when nobody says so: the shared format only has the words to tell by. */
export function inferOrigin(pieces: readonly Piece[]): NonNullable<Entry['origin']> {
  if (pieces.some(({kind}) => kind === 'result')) return 'tools';
  const [first] = pieces;
  return first?.kind === 'text' && /^\s*<(?:session_context|hook_context)>/.test(first.text) ? 'agent' : 'person';
}

/** The entry in a message line of either program, or undefined when it holds none. */
export function lineToEntry(line: Loose): Entry | undefined {
  const {id, timestamp, type} = line;
  if (
    typeof id !== 'string' ||
    typeof type !== 'string' ||
    !['user', 'gemini', 'info', 'warning', 'error'].includes(type)
  )
    return undefined;
  const extra = objectOf(line['kernel']);
  const time = textOf(timestamp) ?? new Date(0).toISOString();
  const kind = type === 'gemini' ? 'model' : type === 'user' ? 'user' : 'note';
  const calls = readCalls(line['toolCalls'], extra, time);
  const pieces =
    kind === 'model' && !extra ? rebuildPieces(line, calls ?? []) : readPieces(line['content'], extra ?? {});
  const role: Message['role'] =
    extra?.['role'] === 'model' || extra?.['role'] === 'user' ? extra['role'] : kind === 'model' ? 'model' : 'user';
  const usage = readUsage(line['tokens']);
  const origin = extra?.['origin'] ?? (kind === 'user' ? inferOrigin(pieces) : undefined);
  return {
    id,
    time,
    kind,
    message: {role, pieces},
    ...(line['displayContent'] === undefined ? {} : {shown: plainText(line['displayContent'])}),
    ...(kind === 'note' && extra?.['severity'] !== 'none' ? {severity: type as 'info' | 'warning' | 'error'} : {}),
    ...(typeof line['model'] === 'string' ? {model: line['model']} : {}),
    ...(usage ? {usage} : {}),
    ...(calls ? {calls} : {}),
    ...(origin === 'person' || origin === 'tools' || origin === 'agent' ? {origin} : {}),
  };
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
 * The model's message from what the other program keeps apart: thoughts, text, calls. Newer ones have it all in the
 * content.
 */
function rebuildPieces(line: Loose, calls: readonly CallRecord[]): readonly Piece[] {
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

function readCalls(value: unknown, extra: Loose | undefined, time: string): readonly CallRecord[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const extras: readonly unknown[] = Array.isArray(extra?.['calls']) ? extra['calls'] : [];
  return value.flatMap((one, index) => {
    const call = objectOf(one);
    return call ? [readCall(call, objectOf(extras[index]) ?? {}, time)] : [];
  });
}

function readCall(call: Loose, extra: Loose, time: string): CallRecord {
  const results: readonly unknown[] = Array.isArray(call['result']) ? call['result'] : [call['result']];
  const output = results.flatMap((part): readonly Part[] => {
    const response = objectOf(objectOf(part)?.['functionResponse']);
    return response ? readResult(response, extra['output']).output : typeof part === 'string' ? [{text: part}] : [];
  });
  const [display, error, input] = [call['resultDisplay'], objectOf(extra['error']), objectOf(extra['input'])];
  return {
    ...nameOf(call),
    input: input ? input['value'] : (objectOf(call['args']) ?? {}),
    status: extra['status'] === 'refused' ? 'refused' : (statuses[String(call['status'])] ?? 'aborted'),
    output,
    ms: typeof extra['ms'] === 'number' ? extra['ms'] : 0,
    time: textOf(call['timestamp']) ?? time,
    ...(display === undefined || display === null
      ? {}
      : {
          display:
            typeof display === 'string'
              ? display
              : (textOf(objectOf(display)?.['fileDiff']) ?? JSON.stringify(display)),
        }),
    ...(error ? {error: {code: textOf(error['code']) ?? '', message: textOf(error['message']) ?? ''}} : {}),
  };
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
