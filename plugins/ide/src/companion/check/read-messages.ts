import type {IncomingMessage} from 'node:http';
import {readPieces} from './http-stranger.js';
import {Unfit} from './unfit.js';

/** A message of JSON-RPC, with the fields used here. */
export interface RpcMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {readonly code?: unknown; readonly message?: unknown};
}

/** The messages of an answer: one JSON text, or a stream of events. Throws Unfit for anything else. */
export async function* readMessages(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<RpcMessage> {
  const type = answer.headers['content-type'] ?? '';
  if (type.startsWith('text/event-stream')) {
    for await (const data of readEvents(readPieces(answer, signal))) yield* parseMessages(data);
    return;
  }
  let text = '';
  for await (const piece of readPieces(answer, signal)) text += piece;
  if (!type.startsWith('application/json'))
    throw new Unfit(
      `The content type is ${type === '' ? 'missing' : type}, status ${answer.statusCode}: ${shorten(text)}`,
    );
  yield* parseMessages(text);
}

/** The data of each event of a stream of them. */
async function* readEvents(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let data: string[] = [];
  for await (const piece of pieces) {
    // A line, and its line ending, may continue in the next chunk.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      else if (line === '' && data.length > 0) {
        yield data.join('\n');
        data = [];
      }
    }
  }
}

function parseMessages(text: string): readonly RpcMessage[] {
  try {
    const messages = [JSON.parse(text) as unknown].flat();
    if (messages.every((message) => typeof message === 'object' && message !== null && 'jsonrpc' in message))
      return messages as readonly RpcMessage[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Unfit(`This is not a JSON-RPC message: ${shorten(text)}`);
}

/** The beginning of a text, in quotes. */
export function shorten(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
