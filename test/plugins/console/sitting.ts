import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, readFileSync, watch} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {checkout} from '../../helpers/plugin-root.js';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import type {HostReport, HostScript} from './host.js';

const MOST_MS = 20_000;

/** A person at the console, whose terminal script(1) makes. */
export class Sitting {
  /** Everything that was written to the terminal. */
  screen = '';
  #seen = 0;
  #onScreen: () => void = () => undefined;
  readonly #closed: Promise<number | null>;

  private constructor(
    private readonly folder: Folder,
    private readonly child: ChildProcess,
  ) {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.screen += text;
      this.#onScreen();
    });
    this.#closed = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve(code);
        this.#onScreen();
      });
    });
  }

  /** Sits down, and waits for the prompt unless the script has something else first. */
  static async begin(
    script: HostScript,
    {
      terminal = 'xterm',
      columns = 80,
      variables = {},
    }: {
      readonly terminal?: string;
      readonly columns?: number;
      readonly variables?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Sitting> {
    const folder = await makeFolder();
    await writeFile(join(folder.path, 'script.json'), JSON.stringify(script));
    const host = join(checkout, 'test', 'dist', 'plugins', 'console', 'host.js');
    const line =
      `stty cols ${columns} rows 24; exec '${process.execPath}' '${host}' '${folder.path}/script.json' ` +
      `'${folder.path}/report.json'`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd: folder.path,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: folder.path,
        LANG: 'C.UTF-8',
        TERM: terminal,
        SHELL: '/bin/sh',
        ...variables,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Sitting(folder, child);
  }

  /** Waits until the terminal shows a text that it has not shown before the last wait. */
  async see(text: string): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#onScreen();
    }, MOST_MS);
    try {
      for (;;) {
        const at = this.screen.indexOf(text, this.#seen);
        if (at >= 0) {
          this.#seen = at + text.length;
          return;
        }
        if (this.child.exitCode !== null)
          throw new Error(`The console ended without showing ${JSON.stringify(text)}:\n${this.screen}`);
        if (isLate) throw new Error(`Never seen: ${JSON.stringify(text)} in\n${JSON.stringify(this.screen)}`);
        await new Promise<void>((resolve) => {
          this.#onScreen = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  type(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Sees and types in turn. */
  async go(...steps: readonly (readonly [string, string])[]): Promise<void> {
    for (const [seen, typed] of steps) {
      await this.see(seen);
      this.type(typed);
    }
  }

  /** Sends a signal to the console itself, or takes its terminal away. */
  async signal(name: 'SIGTERM' | 'terminal'): Promise<void> {
    if (name === 'terminal') this.child.kill('SIGKILL');
    else process.kill(Number(await readFile(join(this.folder.path, 'report.json.pid'), 'utf8')), name);
  }

  /** Waits for the end; what the console saw and did. */
  async end(): Promise<HostReport> {
    await this.#closed;
    return JSON.parse(await readFile(join(this.folder.path, 'report.json'), 'utf8')) as HostReport;
  }

  /** The report of a console whose terminal may be gone: waits for the file. */
  async report(): Promise<HostReport> {
    const path = join(this.folder.path, 'report.json');
    const isThere = (): boolean => existsSync(path) && readFileSync(path, 'utf8').endsWith('}');
    // It listens from here on, so that nothing is missed between looking and waiting.
    const watcher = watch(this.folder.path);
    const timer = setTimeout(() => watcher.emit('change'), MOST_MS);
    const late = performance.now() + MOST_MS;
    while (!isThere()) {
      if (performance.now() >= late) throw new Error(`There is no report:\n${this.screen}`);
      await new Promise((resolve) => watcher.once('change', resolve));
    }
    clearTimeout(timer);
    watcher.close();
    return JSON.parse(await readFile(path, 'utf8')) as HostReport;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.folder[Symbol.asyncDispose]();
  }
}
