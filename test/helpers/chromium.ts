import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable, Writable} from 'node:stream';

/** A page in a real browser. */
export interface Browser extends AsyncDisposable {
  /** Errors on the console and violations of its own policy, since it was opened. */
  readonly complaints: readonly string[];
  /** Addresses that were asked for, besides the page itself. */
  readonly requests: readonly string[];
  open(url: string, screen: {readonly width: number; readonly isDark: boolean}): Promise<void>;
  /** The value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FLAGS = [
  ...['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--remote-debugging-pipe'],
];

/** A browser that is installed; undefined when there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':');
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {readonly message: string};
}

/** Starts a browser that is steered through a pipe, so that it has no port. */
export async function startChromium(program: string): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${folder}`, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const seen = {complaints: [] as string[], requests: [] as string[]};
  const answers = new Map<number, (message: Message) => void>();
  let loaded: (() => void) | undefined;
  const hear = (message: Message): void => {
    if (message.id !== undefined) answers.get(message.id)?.(message);
    const {method, params = {}} = message;
    if (method === 'Page.loadEventFired') loaded?.();
    if (method === 'Network.requestWillBeSent') seen.requests.push((params['request'] as {url: string}).url);
    if (method === 'Log.entryAdded') seen.complaints.push((params['entry'] as {text: string}).text);
    if (method === 'Runtime.exceptionThrown') seen.complaints.push(JSON.stringify(params));
  };
  let rest = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\0');
    rest = messages.pop() ?? '';
    for (const one of messages) hear(JSON.parse(one) as Message);
  });
  let last = 0;
  const send = async (
    method: string,
    params: object,
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> => {
    last += 1;
    const id = last;
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    input.write(`${JSON.stringify({id, method, params, ...(sessionId === undefined ? {} : {sessionId})})}\0`);
    const {result = {}, error} = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = (await send('Target.attachToTarget', {targetId, flatten: true})) as {sessionId: string};
  for (const part of ['Page', 'Network', 'Log', 'Runtime']) await send(`${part}.enable`, {}, sessionId);
  return {
    ...seen,
    async open(url, {width, isDark}) {
      const size = {width, height: 900, deviceScaleFactor: 1, mobile: false};
      await send('Emulation.setDeviceMetricsOverride', size, sessionId);
      const features = [{name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light'}];
      await send('Emulation.setEmulatedMedia', {features}, sessionId);
      const isLoaded = new Promise<void>((resolve) => (loaded = resolve));
      await send('Page.navigate', {url}, sessionId);
      await isLoaded;
    },
    async evaluate<T>(expression: string) {
      const answer = await send('Runtime.evaluate', {expression, returnByValue: true}, sessionId);
      return (answer['result'] as {value: T}).value;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, {recursive: true, force: true, maxRetries: 5});
    },
  };
}
