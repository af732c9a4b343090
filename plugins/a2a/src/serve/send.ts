import {createHash} from 'node:crypto';
import type {IncomingMessage, ServerResponse} from 'node:http';

/** Ends an answer with a value as JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  {status = 200, type = 'application/json'}: {readonly status?: number; readonly type?: string} = {},
): void {
  response.writeHead(status, {'content-type': type}).end(JSON.stringify(value));
}

/** How long others may keep the card: grants, and with them logins, come and go. */
const CARD_S = 300;

/** Ends an answer with the card, or with nothing where the caller has it already. */
export function sendCard({headers}: IncomingMessage, response: ServerResponse, card: object): void {
  const text = JSON.stringify(card);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  const kept = {etag, 'cache-control': `max-age=${CARD_S}`, vary: 'A2A-Version'};
  if (headers['if-none-match'] === etag) response.writeHead(304, kept).end();
  else response.writeHead(200, {...kept, 'content-type': 'application/json'}).end(text);
}

/** Sends values as server-sent events, until there are no more. */
export async function sendEvents(response: ServerResponse, events: AsyncIterable<unknown>): Promise<void> {
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
  response.flushHeaders();
  for await (const event of events) {
    // A caller that has left keeps its task: the events are still read, since reading keeps them and notifies of them.
    if (!response.destroyed) response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
