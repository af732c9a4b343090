import type {ServerResponse} from 'node:http';

/** Ends an answer with a value as JSON. */
export function sendJson(
  response: ServerResponse,
  value: unknown,
  {status = 200, type = 'application/json'}: {readonly status?: number; readonly type?: string} = {},
): void {
  response.writeHead(status, {'content-type': type}).end(JSON.stringify(value));
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
