import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import type {Companion, CompanionOptions as KitOptions, OpenFile} from '@gemini-kernel/plugin-ide/companion';
import {nodeUnderModes} from '../../helpers/node-under-modes.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {startCompanion} from '#plugins/ide/dist/companion.js';
import {meetCompanion} from '#plugins/ide/dist/companion/check/mcp-stranger.js';

export type {Companion, OpenFile};

/** What a test says of a companion; the rest is made up here. */
export type CompanionOptions = Partial<KitOptions> & {readonly temporary: string};

export interface Told {
  readonly method: string;
  readonly params: unknown;
}

/** A client that speaks the protocol by hand. */
export interface Stranger {
  readonly id: string;
  readonly ear: {readonly told: readonly Told[]; waitFor(fits: (told: Told) => boolean): Promise<Told>; stop(): void};
  request(method: string, params?: object): Promise<{readonly result?: unknown; readonly error?: unknown}>;
  call(name: string, input: object): Promise<unknown>;
  leave(): Promise<number>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface Door {
  readonly port: number;
  readonly token: string;
}

/** Connects with a companion. */
export function meet({port, token}: Door): Promise<Stranger> {
  return meetCompanion({port, token, signal: AbortSignal.timeout(20_000)});
}

/** An editor that only remembers what it shows. */
export function rememberingEditor(): {readonly views: Map<string, string>; readonly acts: string[]} & NonNullable<
  CompanionOptions['editor']
> {
  const views = new Map<string, string>();
  const acts: string[] = [];
  return {
    views,
    acts,
    openDiff({path, text}) {
      acts.push(`open ${path}`);
      views.set(path, text);
      return Promise.resolve();
    },
    closeDiff(path) {
      acts.push(`close ${path}`);
      const text = views.get(path);
      views.delete(path);
      return Promise.resolve(text);
    },
  };
}

/** Starts a companion in this process; what it warns of fails the test unless `warn` is given. */
export function startKit(options: CompanionOptions): Promise<Companion> {
  const warn = (sentence: string): void => {
    throw new Error(`The companion warned: ${sentence}`);
  };
  return startCompanion({
    ide: {name: 'memory', displayName: 'Memory'},
    roots: [options.temporary],
    editor: rememberingEditor(),
    warn,
    ...options,
  });
}

/** A companion in a process of its own. */
export interface KitProcess extends Door {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it warned of. */
  stderr(): string;
  /** Lets it do something, and waits until it is done. */
  act(act: string, rest?: object): Promise<void>;
  /** The next line that it prints. */
  line(): Promise<string>;
  /** How the process ended. */
  end(): Promise<{readonly code: number | null; readonly signal: NodeJS.Signals | null}>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts one, where modes of files hold also for root; `before` are words of a shell that go before it. */
export async function spawnKit(
  temporary: string,
  {options = {}, before = ''}: {readonly options?: object; readonly before?: string} = {},
): Promise<KitProcess> {
  const words = [
    ...nodeUnderModes(),
    join(checkout, 'test', 'fixtures', 'companions', 'with-kit.mjs'),
    join(pluginRoot('ide'), 'dist', 'companion.js'),
    JSON.stringify({temporary, ...options}),
  ];
  const [file = '', ...args] = before === '' ? words : ['sh', '-c', `${before}; exec "$@"`, 'sh', ...words];
  const child = spawn(file, args, {stdio: ['pipe', 'pipe', 'pipe']});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({input: child.stdout})[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const {value, done} = await lines.next();
    if (done) throw new Error(`The companion ended: ${stderr}`);
    return value;
  };
  const door = JSON.parse(await line()) as Door & {readonly pid: number};
  return {
    ...door,
    child,
    line,
    stderr: () => stderr,
    async act(act, rest = {}) {
      child.stdin.write(`${JSON.stringify({act, ...rest})}\n`);
      await line();
    },
    async end() {
      const [code, signal] = await ended;
      return {code, signal};
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The parameters of the notifications of a method, in order. */
export function paramsOf({ear: {told}}: Stranger, method: string): readonly unknown[] {
  return told.filter((one) => one.method === method).map(({params}) => params);
}
