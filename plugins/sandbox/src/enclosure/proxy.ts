import {execFile} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {once} from 'node:events';
import {createConnection} from 'node:net';
import {setTimeout} from 'node:timers/promises';
import {promisify} from 'node:util';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {ProcessGroups} from '@gemini-kernel/processes';

/** The network that leads nowhere but to the proxy. */
export const NETWORK = 'gemini-cli-sandbox';
const OUTER_NETWORK = 'gemini-cli-sandbox-proxy';
const PORT = 8877;
const START_MS = 30_000;
const PAUSE_MS = 50;

/** A proxy that runs. */
export interface RunningProxy {
  /** Where the program finds it. */
  readonly url: string;
  /** Aborted when it ends before it is closed; the reason is a KernelError. */
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

type Place = Pick<Environment, 'cwd' | 'platform' | 'variables'>;
type Run = (...args: readonly string[]) => Promise<string>;

/** Runs an engine for what needs no terminal. Throws KernelError SANDBOX_UNAVAILABLE. */
export function runEngine(file: string): Run {
  return async (...args) => {
    try {
      const {stdout} = await promisify(execFile)(file, args, {maxBuffer: 1 << 24});
      return stdout;
    } catch (cause) {
      const {stderr = '', message} = cause as Error & {readonly stderr?: string};
      throw unavailable(
        `${file} ${args.slice(0, 2).join(' ')} failed: ${(stderr.trim() || message).slice(0, 500)}`,
        cause,
      );
    }
  };
}

/** Makes the network without a way out, unless it is there. */
export async function makeInnerNetwork(engine: Run): Promise<string> {
  await makeNetwork(engine, NETWORK, ['--internal']);
  return NETWORK;
}

async function makeNetwork(engine: Run, name: string, options: readonly string[]): Promise<void> {
  const isThere = await engine('network', 'inspect', name).then(
    () => true,
    () => false,
  );
  if (!isThere) await engine('network', 'create', ...options, name);
}

/** Starts the proxy in a container of its own, in both networks. */
export async function startContainerProxy(
  file: string,
  {image, words, place}: {readonly image: string; readonly words: readonly string[]; readonly place: Place},
  signal: AbortSignal,
): Promise<RunningProxy> {
  const engine = runEngine(file);
  const {cwd} = place;
  const name = `${OUTER_NETWORK}-${randomBytes(6).toString('hex')}`;
  await makeInnerNetwork(engine);
  await makeNetwork(engine, OUTER_NETWORK, []);
  const args = ['run', '--rm', '--init', '--name', name, '--network', OUTER_NETWORK, '--publish', `127.0.0.1::${PORT}`];
  const running = start(file, [...args, '--volume', `${cwd}:${cwd}`, '--workdir', cwd, image, ...words], place);
  const close = async (): Promise<void> => {
    running.forget();
    // What is gone already is as it should be.
    await engine('rm', '-f', name).catch(() => undefined);
    running.end();
  };
  try {
    await waitFor(async () => portOf(await engine('port', name, String(PORT)).catch(() => '')), running.signal, signal);
    await engine('network', 'connect', NETWORK, name);
  } catch (error) {
    await close();
    throw error;
  }
  return {url: `http://${name}:${PORT}`, signal: running.signal, close};
}

/** Starts the proxy as a program of this machine. */
export async function startHostProxy(
  words: readonly string[],
  place: Place,
  signal: AbortSignal,
): Promise<RunningProxy> {
  const [file = '', ...args] = words;
  const running = start(file, args, place);
  const close = async (): Promise<void> => running.end();
  try {
    await waitFor(async () => PORT, running.signal, signal);
  } catch (error) {
    await close();
    throw error;
  }
  return {url: `http://localhost:${PORT}`, signal: running.signal, close};
}

interface Started {
  readonly signal: AbortSignal;
  /** From here on its end is no fault. */
  forget(): void;
  end(): void;
}

/** It ends with this program, also when that is killed. */
function start(file: string, args: readonly string[], {cwd, platform, variables}: Place): Started {
  const ended = new AbortController();
  let isForgotten = false;
  const groups = new ProcessGroups(platform);
  // The person starts it, and engines find their configuration by variables.
  const all = Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const child = groups.start({file, args, cwd, variables: all});
  child.stdin?.end();
  child.stdout?.resume();
  let said = '';
  child.stderr?.on('data', (data: Buffer) => (said = `${said}${String(data)}`.slice(-500)));
  const fail = (how: string): void => {
    if (!isForgotten) ended.abort(unavailable(`The proxy ${file} ${how}. ${said.trim()}`.trim()));
  };
  child.once('error', ({message}) => fail(`cannot be started: ${message}`));
  child.once('close', (code, by) => fail(`ended with ${by ?? code ?? 'nothing'}`));
  return {
    signal: ended.signal,
    forget: () => (isForgotten = true),
    end() {
      isForgotten = true;
      groups.close();
    },
  };
}

/** Waits until something answers on the port. */
async function waitFor(
  find: () => Promise<number | undefined>,
  ended: AbortSignal,
  signal: AbortSignal,
): Promise<void> {
  const last = Date.now() + START_MS;
  while (Date.now() < last) {
    ended.throwIfAborted();
    signal.throwIfAborted();
    const port = await find();
    if (port !== undefined && (await answers(port))) return;
    await setTimeout(PAUSE_MS);
  }
  throw unavailable(`The proxy did not listen on port ${PORT} within ${START_MS / 1000} s.`);
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection({port, host: '127.0.0.1'});
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    // It does not listen yet.
    return false;
  } finally {
    socket.destroy();
  }
}

function portOf(text: string): number | undefined {
  const [, port] = /:(\d+)\s*$/m.exec(text) ?? [];
  return port === undefined ? undefined : Number(port);
}

function unavailable(sentence: string, cause?: unknown): KernelError {
  return new KernelError('SANDBOX_UNAVAILABLE', sentence, {
    cause,
    hint: 'Correct it, or start without this sandbox. `gemini sandbox status` shows what asks for it.',
  });
}
