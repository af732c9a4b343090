import type {Script, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import type {ScriptedAnswer, ScriptedRefusal} from '@gemini-kernel/plugin-agent/testing';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type {AddressInfo} from 'node:net';
import {setTimeout as pause} from 'node:timers/promises';

/** A request as it came. */
export interface RawRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined when there is none. */
  readonly body: unknown;
}

/** What a dialect makes of a request: a question for the model, or something beside it. */
export type ReadRequest =
  | {
      readonly kind: 'ask';
      readonly isStream: boolean;
      readonly asked: Pick<SeenRequest, 'model' | 'system' | 'messages' | 'tools' | 'config'>;
      readonly fault?: string | undefined;
    }
  | {readonly kind: 'beside'; readonly body: unknown}
  | undefined;

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How one kind of API says things. */
export interface Dialect {
  /** Undefined when there is nothing at this address. */
  read(request: RawRequest, models: readonly string[]): ReadRequest;
  /** The events of a streamed answer, one text per piece and one for the end. */
  frames(answer: ScriptedAnswer, asked: {readonly model: string}): readonly string[];
  /** The body of an answer that is not streamed. */
  whole(answer: ScriptedAnswer, asked: {readonly model: string}): string;
  refuse(refusal: ScriptedRefusal): Reply;
}

export interface ScriptedServerOptions {
  readonly script?: Script;
  /** The models it lists. */
  readonly models?: readonly string[];
  readonly port?: number;
}

/** A model's API on loopback that follows a script, and refuses malformed requests with 400. */
export interface ScriptedServer {
  /** Without a slash at the end. */
  readonly url: string;
  /** The questions so far, in order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** What came beside them: counts and lists. */
  readonly beside: readonly RawRequest[];
  /** What was wrong with requests, and answers that the script lacked. A test that ends with some has failed. */
  readonly faults: readonly string[];
  /** Replaces what is left of the script; the requests stay. */
  script(script: Script): void;
  /** Refuses counts and lists from now on; undefined = no longer. */
  refuseBeside(refusal: ScriptedRefusal | undefined): void;
  /** Continues every stalled answer. */
  release(): void;
  /** Resolves when so many questions have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server that speaks a dialect; a script that is a list is used up in order. */
export async function startScriptedServer(
  dialect: Dialect,
  options: ScriptedServerOptions = {},
): Promise<ScriptedServer> {
  const state = new ServerState(dialect, options);
  const server = createServer((request, response) => {
    state.handle(request, response).catch((error: unknown) => {
      // The client may leave before its request is complete.
      if (!request.destroyed || request.complete) state.faults.push(`The scripted server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const close = (): Promise<void> => closeServer(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: state.requests,
    beside: state.beside,
    faults: state.faults,
    script: (script) => state.use(script),
    refuseBeside: (refusal) => {
      state.refusedBeside = refusal;
    },
    release: () => state.release(),
    arrived: (count) => state.arrived(count),
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}

class ServerState {
  readonly requests: SeenRequest[] = [];
  readonly beside: RawRequest[] = [];
  readonly faults: string[] = [];
  refusedBeside: ScriptedRefusal | undefined;
  #next: (request: SeenRequest) => ScriptedAnswer | Promise<ScriptedAnswer> | undefined = () => undefined;
  readonly #stalled = new Set<() => void>();
  readonly #waiting: {readonly count: number; readonly done: () => void}[] = [];

  constructor(
    readonly dialect: Dialect,
    readonly options: ScriptedServerOptions,
  ) {
    this.use(options.script ?? []);
  }

  use(script: Script): void {
    const left = typeof script === 'function' ? undefined : [...script];
    let index = 0;
    this.#next = (request) => (typeof script === 'function' ? script(request, index++) : left?.shift());
  }

  release(): void {
    for (const go of [...this.#stalled]) go();
  }

  arrived(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    return new Promise((done) => void this.#waiting.push({count, done}));
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.socket?.setNoDelay(true);
    const raw = await readRequest(incoming);
    const read = this.dialect.read(raw, this.options.models ?? ['model-a', 'model-b']);
    if (!read)
      return reply(
        response,
        this.dialect.refuse({status: 404, message: `There is nothing at ${raw.method} ${raw.url.pathname}.`}),
      );
    if (read.kind === 'beside') {
      this.beside.push(raw);
      return reply(
        response,
        this.refusedBeside ? this.dialect.refuse(this.refusedBeside) : {status: 200, body: JSON.stringify(read.body)},
      );
    }
    const seen = this.#see(raw, read, response);
    if (seen.fault !== undefined) return reply(response, this.dialect.refuse({status: 400, message: seen.fault}));
    const answer = await this.#next(seen);
    if (answer) return this.#answer(response, answer, {seen, isStream: read.isStream});
    this.faults.push(`The script has no answer to request ${this.requests.length}.`);
    return reply(response, this.dialect.refuse({status: 500, message: 'The script has no more answers.'}));
  }

  #see(raw: RawRequest, {asked, fault}: Extract<ReadRequest, {kind: 'ask'}>, response: ServerResponse): SeenRequest {
    const end = new Promise<'answered' | 'left'>((resolve) =>
      response.once('close', () => resolve(response.writableFinished ? 'answered' : 'left')),
    );
    const seen: SeenRequest = {
      ...asked,
      url: raw.url.pathname + raw.url.search,
      headers: raw.headers,
      body: raw.body,
      ...(fault === undefined ? {} : {fault}),
      end,
    };
    if (fault !== undefined) this.faults.push(fault);
    this.requests.push(seen);
    for (const {done} of this.#waiting.filter(({count}) => count <= this.requests.length)) done();
    return seen;
  }

  async #answer(
    response: ServerResponse,
    answer: ScriptedAnswer,
    {seen, isStream}: {readonly seen: SeenRequest; readonly isStream: boolean},
  ): Promise<void> {
    const {refusal, stall, cut} = answer;
    if (stall === 'headers') await this.#stall(response);
    if (refusal)
      return reply(
        response,
        refusal.body === undefined
          ? this.dialect.refuse(refusal)
          : {status: refusal.status, body: refusal.body, headers: refusal.headers ?? {}},
      );
    const frames = (isStream ? this.dialect.frames(answer, seen) : [this.dialect.whole(answer, seen)]).map((text) =>
      Buffer.from(text),
    );
    const length = frames.reduce((sum, {length: size}) => sum + size, 0);
    const stop = typeof stall === 'object' ? stall.afterPieces : -1;
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json; charset=UTF-8',
      ...(cut?.by === 'length' ? {'content-length': length} : {}),
    });
    response.flushHeaders();
    for (const [index, chunk] of chunksOf(frames, answer).entries()) {
      if (index === stop) await this.#stall(response);
      if (index > 0 && answer.pauseMs !== undefined) await pause(answer.pauseMs);
      if (response.destroyed) return;
      await new Promise<void>((resolve) => void response.write(chunk, () => resolve()));
    }
    if (stop >= frames.length) await this.#stall(response);
    if (cut === undefined || cut.by === 'end') response.end();
    else if (cut.by === 'length') response.socket?.end();
    else response.socket?.resetAndDestroy();
  }

  async #stall(response: ServerResponse): Promise<void> {
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.#stalled.delete(go);
        resolve();
      };
      this.#stalled.add(go);
      response.once('close', go);
    });
  }
}

/** What is really sent, write by write. */
function chunksOf(frames: readonly Buffer[], {cut, chunkBytes}: ScriptedAnswer): readonly Buffer[] {
  const kept = frames.slice(0, cut?.afterPieces ?? frames.length);
  if (cut?.afterBytes === undefined && chunkBytes === undefined) return kept;
  const all = Buffer.concat(kept).subarray(0, cut?.afterBytes);
  const size = chunkBytes ?? Math.max(all.length, 1);
  return Array.from({length: Math.ceil(all.length / size)}, (_, index) =>
    all.subarray(index * size, (index + 1) * size),
  );
}

async function readRequest(incoming: IncomingMessage): Promise<RawRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '/', 'http://127.0.0.1'),
    headers: incoming.headers,
    body: text === '' ? undefined : parse(text),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function reply(response: ServerResponse, {status, headers = {}, body}: Reply): void {
  response.writeHead(status, {'content-type': 'application/json; charset=UTF-8', ...headers});
  response.end(body);
}
