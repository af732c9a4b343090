import {request as openRequest, type IncomingMessage} from 'node:http';
import {Unfit} from './unfit.js';

/** A request that is sent exactly as given, including its headers. */
export interface PlainRequest {
  readonly port: number;
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/**
 * Sends a request over its own connection, and resolves once the head of the answer has arrived. Throws Unfit when the
 * connection breaks.
 */
export function sendRequest({port, method = 'POST', headers, body, signal}: PlainRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : {'content-length': String(Buffer.byteLength(body))};
    const request = openRequest({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method,
      headers: {...headers, ...length},
      agent: false,
      signal,
    });
    request.once('response', (answer) => {
      // Reading the answer reports its error.
      answer.on('error', () => undefined);
      resolve(answer);
    });
    request.once('error', (error) => reject(signal.aborted ? signal.reason : broken(error)));
    request.end(body);
  });
}

/** Sends a request and gives the status of its answer, without waiting for the body. */
export async function askStatus(request: PlainRequest): Promise<number> {
  const answer = await sendRequest(request);
  answer.destroy();
  return answer.statusCode ?? 0;
}

/** The text chunks of an answer. Throws Unfit when it breaks off. */
export async function* readPieces(answer: IncomingMessage, signal: AbortSignal): AsyncGenerator<string> {
  answer.setEncoding('utf8');
  try {
    for await (const piece of answer) yield piece as string;
  } catch (error) {
    signal.throwIfAborted();
    throw broken(error);
  }
}

function broken(error: unknown): Unfit {
  return new Unfit(`The connection broke: ${error instanceof Error ? error.message : String(error)}.`);
}
