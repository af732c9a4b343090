import type {IncomingMessage, ServerResponse} from 'node:http';
import {Readable} from 'node:stream';
import {pipeline} from 'node:stream/promises';

/** The largest body of a request; a file that is written comes in one. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A body that is too large, or no JSON. */
export class BodyFault extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The JSON of a body. Throws BodyFault. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new BodyFault(413, `A request has at most ${MOST_BYTES} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new BodyFault(400, 'The request is not JSON.');
  }
}

/** A request as the web knows it, for the SDK; its body was read. */
export function toWebRequest({method, headers, url}: IncomingMessage, body: unknown, signal: AbortSignal): Request {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value);
  given.delete('authorization');
  return new Request(new URL(url ?? '/', `http://${headers.host ?? 'localhost'}`), {
    method: method ?? 'GET',
    headers: given,
    signal,
    ...(body === undefined ? {} : {body: JSON.stringify(body)}),
  });
}

/** Sends what the SDK answered, piece by piece. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (!response.body) return void outgoing.end();
  // A client that leaves ends the stream; the SDK hears of it by the signal of the request.
  await pipeline(Readable.fromWeb(response.body), outgoing).catch(() => undefined);
}

/** Refuses in the form of the protocol. */
export function sendRefusal(
  outgoing: ServerResponse,
  {status, sentence, headers = {}}: {status: number; sentence: string; headers?: Readonly<Record<string, string>>},
): void {
  const body = {jsonrpc: '2.0', id: null, error: {code: -32000, message: sentence}};
  outgoing.writeHead(status, {'Content-Type': 'application/json', Connection: 'close', ...headers});
  outgoing.end(JSON.stringify(body));
}
