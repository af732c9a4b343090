import {askStatus, sendRequest, type PlainRequest} from './http-stranger.js';
import {readMessages} from './read-messages.js';
import {demand, Unfit} from './unfit.js';

/** A message that a companion sent unasked. */
export interface Told {
  readonly method: string;
  readonly params: unknown;
}

/** What arrives on the stream of a session. */
export interface Ear {
  /** In order. */
  readonly told: readonly Told[];
  /** The error that ended listening, when something other than a message arrived. */
  fault(): string | undefined;
  /** Waits for a matching message, including one that has already arrived. */
  waitFor(fits: (told: Told) => boolean): Promise<Told>;
  stop(): void;
}

/** Opens the stream on which a companion sends messages unasked, and answers its pings. */
export async function listenTo({port, headers, signal}: PlainRequest): Promise<Ear> {
  const stream = await sendRequest({port, method: 'GET', headers, signal});
  demand(stream.statusCode === 200, `GET of the stream was answered with ${stream.statusCode}.`);
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  let end: unknown;
  const wake = (): void => waiting.forEach((look) => look());
  const hear = async (): Promise<never> => {
    for await (const {id, method, params} of readMessages(stream, signal)) {
      if (typeof method !== 'string') continue;
      if (id === undefined) told.push({method, params});
      else if (method === 'ping')
        await askStatus({port, headers, body: JSON.stringify({jsonrpc: '2.0', id, result: {}}), signal});
      wake();
    }
    throw new Unfit('The stream ended.');
  };
  hear().catch((error: unknown) => {
    end = error;
    wake();
  });
  return {
    told,
    fault: () => (end instanceof Unfit ? end.message : undefined),
    waitFor: (fits) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = told.find(fits);
          if (!found && end === undefined) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(end);
        };
        waiting.add(look);
        look();
      }),
    stop: () => void stream.destroy(),
  };
}
