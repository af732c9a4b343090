import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import {Role, type Message, type StreamResponse, type Task} from '@a2a-js/sdk';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../../helpers/plugin-root.js';
import {openAgentPlace, type AgentPlace} from '../../helpers/run-agent.js';
import {isolate} from '../../helpers/run-gemini.js';

/** A server of A2A with a scripted model, and clients of the official SDK. */
export interface A2aPlace extends AgentPlace {
  url: string;
  readonly log: () => string;
  /** A new token, by the command. */
  token(...words: readonly string[]): Promise<string>;
  client(token: string, form?: 'rest' | 'rpc'): Promise<Client>;
  /** One request of JSON-RPC as it is, with these headers in place of the usual ones. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  kill(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts a server; one that runs already continues beside it. */
  start(variables?: Readonly<Record<string, string>>): Promise<void>;
}

export async function openA2aPlace(script: Script, words: readonly string[] = ['--no-confine']): Promise<A2aPlace> {
  const place = await openAgentPlace({script, models: ['model-a'], variables: {GEMINI_MODEL: 'model-a'}});
  const {project: cwd, home, server} = place;
  const variables = {GEMINI_API_KEY: 'a-key-of-gemini', GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_MODEL: 'model-a'};
  let child: ChildProcess | undefined;
  const all: ChildProcess[] = [];
  let log = '';
  const own: A2aPlace = {
    ...place,
    url: '',
    log: () => log,
    async token(...more) {
      const {stdout, stderr, code} = await place.run(['a2a', 'token', 'create', 'tester', ...more]);
      if (code !== 0) throw new Error(stderr);
      return stdout.trim();
    },
    async client(token, form = 'rpc') {
      const fetchImpl: typeof fetch = (input, init) => {
        const headers = new Headers(init?.headers);
        headers.set('authorization', `Bearer ${token}`);
        return fetch(input, {...init, headers});
      };
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new JsonRpcTransportFactory({fetchImpl}), new RestTransportFactory({fetchImpl})],
        preferredTransports: [form === 'rpc' ? 'JSONRPC' : 'HTTP+JSON'],
      });
      return new ClientFactory(options).createFromUrl(own.url);
    },
    post: (body, headers = {}) =>
      fetch(`${own.url}/`, {
        method: 'POST',
        headers: {'content-type': 'application/json', 'a2a-version': '1.0', ...headers},
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async kill(signal) {
      const running = child;
      child = undefined;
      if (!running || running.exitCode !== null) return running?.exitCode ?? null;
      running.kill(signal);
      return ((await once(running, 'close')) as [number | null])[0];
    },
    async start(more = {}) {
      log = '';
      child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), 'a2a', 'serve', ...words], {
        ...{cwd, env: isolate(home, {...variables, ...more}), stdio: ['ignore', 'ignore', 'pipe']},
      });
      all.push(child);
      own.url = await new Promise<string>((resolve, reject) => {
        child?.stderr?.on('data', (chunk: Buffer) => {
          log += chunk.toString();
          const [, url] = /A2A server at (\S+),/.exec(log) ?? [];
          if (url !== undefined) resolve(url);
        });
        child?.once('close', () => reject(new Error(log)));
      });
    },
    async [Symbol.asyncDispose]() {
      for (const one of all.filter(({exitCode, signalCode}) => exitCode === null && signalCode === null)) {
        one.kill('SIGKILL');
        await once(one, 'close');
      }
      await place[Symbol.asyncDispose]();
    },
  };
  return own;
}

let count = 0;

/** A request with one text; `to` is a task or a context that it belongs to. */
export function asks(text: string, to: Partial<Pick<Message, 'taskId' | 'contextId'>> = {}, returnImmediately = false) {
  const message: Message = {
    ...{messageId: `m${(count += 1)}`, contextId: '', taskId: '', role: Role.ROLE_USER, ...to},
    parts: [{content: {$case: 'text', value: text}, metadata: undefined, filename: '', mediaType: 'text/plain'}],
    ...{metadata: undefined, extensions: [], referenceTaskIds: []},
  };
  const configuration = {acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately};
  return {tenant: '', message, configuration, metadata: undefined};
}

export async function collect(events: AsyncIterable<StreamResponse>): Promise<readonly StreamResponse[]> {
  const all: StreamResponse[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** The text of the artifacts of a task, by their names. */
export function artifactsOf({artifacts}: Task): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    artifacts.map(({name, parts}) => [
      name,
      parts.map(({content}) => content?.value as unknown).reduce((a, b) => (typeof a === 'string' ? `${a}${b}` : b)),
    ]),
  );
}
