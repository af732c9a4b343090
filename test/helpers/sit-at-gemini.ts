import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {mkdtemp, readFile, readlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {promisify} from 'node:util';
import {checkout} from './plugin-root.js';
import {dialects, type AgentPlace} from './run-agent.js';
import {isolate} from './run-gemini.js';

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';
/** An empty prompt with the cursor in it; one in which something stands is drawn otherwise. */
export const PROMPT = '> \r\u001b[2C';
/** A question that can be answered. */
export const QUESTION = 'Allow this? [';

const MOST_MS = 20_000;
const execute = promisify(execFile);

export interface SittingOptions {
  readonly words?: readonly string[];
  readonly columns?: number;
  readonly rows?: number;
  readonly onOutput?: (text: string) => void;
  readonly variables?: Readonly<Record<string, string>>;
  /** The shell has job control: it says when the program is stopped, and continues it after a line. */
  readonly hasJobs?: boolean;
  /** The folder of the program, if it is not this checkout. */
  readonly root?: string;
}

/** How a sitting ended, and what the terminal was set to before and after. */
export interface Ended {
  readonly code: number | null;
  readonly isRestored: boolean;
}

/** A person at a terminal, made by script(1), where the real program talks with the scripted model of a place. */
export class GeminiSitting {
  /** Everything that was written to the terminal. */
  screen = '';
  #seen = 0;
  #onScreen: () => void = () => undefined;
  readonly #closed: Promise<number | null>;

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
    onOutput?: (text: string) => void,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.screen += text;
      onOutput?.(text);
      this.#onScreen();
    });
    // The program may have left before what is typed arrives.
    child.stdin?.on('error', () => undefined);
    this.#closed = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve(code);
        this.#onScreen();
      });
    });
  }

  /** Starts the program without colours, in the project of the place. */
  static async begin(
    place: AgentPlace,
    {
      words = [],
      root = checkout,
      columns = 80,
      rows = 24,
      variables = {},
      onOutput,
      hasJobs = false,
    }: SittingOptions = {},
  ): Promise<GeminiSitting> {
    const folder = await mkdtemp(join(dirname(place.home), 'sitting-'));
    const quoted = [process.execPath, join(root, 'bin', 'gemini.cjs'), ...words]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(' ');
    const jobs = hasJobs
      ? ['set -m; ', 'while [ $code -gt 128 ]; do echo "Stopped."; read -r _; fg >/dev/null; code=$?; done; ']
      : ['', ''];
    const line =
      `stty cols ${columns} rows ${rows}; stty -a > "$SITTING/before"; ${jobs[0]}sh -c 'echo $$ > "$SITTING/pid"; exec "$@"' sh ` +
      `${quoted}; code=$?; ${jobs[1]}stty -a > "$SITTING/after"; exit $code`;
    const models = dialects[0]?.variables(place.server.url);
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: place.project,
      env: isolate(place.home, {
        TERM: 'xterm',
        SHELL: '/bin/sh',
        NO_COLOR: '1',
        GEMINI_MODEL: 'model-a',
        SITTING: folder,
        ...models,
        ...variables,
      }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new GeminiSitting(folder, child, onOutput);
  }

  /** Waits until the terminal shows a text that it has not shown before the last wait. */
  async see(text: string): Promise<void> {
    const late = AbortSignal.timeout(MOST_MS);
    late.addEventListener('abort', () => this.#onScreen(), {once: true});
    for (;;) {
      const at = this.screen.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (late.aborted || this.child.exitCode !== null)
        throw new Error(
          `Never seen: ${JSON.stringify(text)} after ${this.#seen} characters ` +
            `of\n${JSON.stringify(this.screen.slice(-3000))}`,
        );
      await new Promise<void>((resolve) => {
        this.#onScreen = resolve;
      });
    }
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Sees and types in turn. */
  async go(...steps: readonly (readonly [seen: string, typed: string])[]): Promise<void> {
    for (const [seen, typed] of steps) {
      await this.see(seen);
      this.type(typed);
    }
  }

  /** Gives the terminal another size, of which the program hears. */
  async resize(columns: number, rows: number): Promise<void> {
    const terminal = await readlink(`/proc/${await this.#pid()}/fd/0`);
    await execute('stty', ['-F', terminal, 'cols', String(columns), 'rows', String(rows)]);
  }

  /** What the program has used of the processor, and of memory at most; Linux only. */
  async usage(): Promise<{readonly seconds: number; readonly megabytes: number}> {
    const pid = await this.#pid();
    const [stat, status] = await Promise.all(
      ['stat', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    const ticks = (stat ?? '')
      .slice((stat ?? '').lastIndexOf(')'))
      .split(' ')
      .slice(12, 14);
    const [, most = '0'] = /VmHWM:\s*(\d+)/.exec(status ?? '') ?? [];
    return {seconds: ticks.reduce((sum, one) => sum + Number(one), 0) / 100, megabytes: Number(most) / 1024};
  }

  /** Sends a signal to the program, or takes its terminal away. */
  async signal(name: 'SIGTERM' | 'SIGHUP' | 'SIGCONT' | 'terminal'): Promise<void> {
    if (name === 'terminal') this.child.kill('SIGKILL');
    else process.kill(await this.#pid(), name);
  }

  /** Waits for the end of the program. */
  async end(): Promise<Ended> {
    const code = await this.#ending();
    const [before, after] = await Promise.all(
      ['before', 'after'].map((name) => readFile(join(this.folder, name), 'utf8')),
    );
    const isMarked = this.screen.lastIndexOf('\u001b[?2004h') > this.screen.lastIndexOf('\u001b[?2004l');
    const isHidden = this.screen.lastIndexOf('\u001b[?25l') > this.screen.lastIndexOf('\u001b[?25h');
    return {code, isRestored: before === after && !isMarked && !isHidden};
  }

  /** Waits until the program is gone whose terminal was taken away. */
  async gone(): Promise<void> {
    const pid = await this.#pid();
    const late = AbortSignal.timeout(MOST_MS);
    while (isRunning(pid)) await pause(20, undefined, {signal: late});
  }

  async #pid(): Promise<number> {
    return Number(await readFile(join(this.folder, 'pid'), 'utf8'));
  }

  /** A program that does not end is a failure, and is ended. */
  async #ending(): Promise<number | null> {
    const timer = setTimeout(() => void this.signal('terminal'), MOST_MS);
    const code = await this.#closed;
    clearTimeout(timer);
    if (this.child.signalCode !== null)
      throw new Error(`It did not end on its own:\n${JSON.stringify(this.screen.slice(-3000))}`);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#closed;
    await this.gone();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
