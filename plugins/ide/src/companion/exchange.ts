import type {IncomingMessage, ServerResponse} from 'node:http';

const BODY_BYTES = 32 * 1024 * 1024;

/**
 * The body of a request as text; undefined when it is larger than a companion accepts (32 MiB). The rest of a larger
 * one is read and discarded, so that the client sees the answer.
 */
export function readBody(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES) chunks.push(chunk);
      else {
        chunks.length = 0;
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The request broke off.')));
  });
}

/** Converts a request of Node to a web Request; its body travels separately. */
export function toWebRequest({method = 'GET', url = '/', headers}: IncomingMessage): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(new URL(url, 'http://127.0.0.1'), {method, headers: pairs});
}

/**
 * Sends a web Response chunk by chunk, no faster than the other side reads. Ends with the response, or when the other
 * side disconnects.
 */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  const reader = answer.body?.getReader();
  const gone = new Promise<void>((resolve) => void response.once('close', resolve));
  // A stream that has failed cannot be cancelled and need not be.
  void gone.then(() => reader?.cancel()).catch((error: unknown) => error);
  for (let piece = await reader?.read(); piece?.done === false && !response.destroyed; piece = await reader?.read()) {
    if (!response.write(piece.value))
      await Promise.race([new Promise((resolve) => void response.once('drain', resolve)), gone]);
  }
  response.end();
}

/** Why a request gets no result: the HTTP status and the JSON-RPC code. */
export interface Fault {
  readonly status: number;
  readonly sentence: string;
  readonly code?: number;
}

/** Answers with a JSON-RPC error. */
export function sendFault(response: ServerResponse, {status, sentence, code = -32_000}: Fault): void {
  const challenge = status === 401 ? {'www-authenticate': 'Bearer'} : {};
  response
    .writeHead(status, {'content-type': 'application/json', ...challenge})
    .end(JSON.stringify({jsonrpc: '2.0', error: {code, message: sentence}, id: null}));
}
