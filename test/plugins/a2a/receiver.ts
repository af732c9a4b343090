import {createServer, type IncomingHttpHeaders} from 'node:http';
import type {AddressInfo} from 'node:net';

interface Notified {
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A receiver of notifications on loopback. */
export interface Receiver {
  readonly url: string;
  readonly host: string;
  readonly seen: readonly Notified[];
  /** Resolves when a notification has this text. */
  until(text: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** `statuses` are the first answers; later ones are 204. `location` sends a redirection instead. */
export async function startReceiver({
  statuses = [],
  location,
}: {readonly statuses?: readonly number[]; readonly location?: string} = {}): Promise<Receiver> {
  const seen: Notified[] = [];
  const waiting: {readonly text: string; readonly resolve: () => void}[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const status = statuses[count++] ?? (location === undefined ? 204 : 302);
      response.writeHead(status, location === undefined ? {} : {location}).end();
      seen.push({headers: request.headers, body: JSON.parse(text) as Notified['body']});
      for (const one of waiting) if (text.includes(one.text)) one.resolve();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{url: `http://${host}/hook`, host, seen},
    until: (text) =>
      seen.some(({body}) => JSON.stringify(body).includes(text))
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({text, resolve})),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
