import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {isolate} from './run-gemini.js';
import {where} from './where.js';

/** A test that needs Neovim on this machine; CI installs it. */
export const withNeovim = where(spawnSync('nvim', ['--version']).status === 0, 'nvim');

/** A Neovim without a screen, with a person who types. */
export interface Neovim {
  readonly address: string;
  readonly child: ChildProcess;
  type(keys: string): Promise<void>;
  lua(code: string): Promise<unknown>;
  /** Waits until an expression of Lua is true. */
  until(expression: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface NeovimOptions {
  readonly cwd: string;
  readonly home: string;
  readonly temporary: string;
  readonly files?: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** Starts one in a folder of its own, with files open; without anything of the person's own. */
export async function startNeovim({cwd, home, temporary, files = [], variables = {}}: NeovimOptions): Promise<Neovim> {
  const {connectToNeovim} = await import('#plugins/ide-neovim/dist/neovim-rpc.js');
  const address = join(temporary, 'nvim.sock');
  const env = isolate(home, {TMPDIR: temporary, XDG_DATA_HOME: join(home, '.local', 'share'), ...variables});
  const child = spawn('nvim', ['--headless', '-n', '-i', 'NONE', '--listen', address, ...files], {
    cwd,
    env,
    stdio: 'ignore',
  });
  const person = await whenListening(() => connectToNeovim(address, () => undefined));
  return {
    address,
    child,
    type: async (keys) => void (await person.request('nvim_input', keys)),
    lua: (code) => person.request('nvim_exec_lua', code, []),
    async until(expression) {
      for (const started = Date.now(); !(await person.request('nvim_exec_lua', `return ${expression}`, []));)
        if (Date.now() - started > 10_000) throw new Error(`Never so: ${expression}`);
    },
    async [Symbol.asyncDispose]() {
      const ended = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');
      person.close();
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Connects as soon as Neovim listens: the socket is there a moment before that. */
async function whenListening<T>(connect: () => Promise<T>): Promise<T> {
  for (const started = Date.now(); ; await new Promise(setImmediate)) {
    try {
      return await connect();
    } catch (error) {
      if (Date.now() - started > 10_000) throw error;
    }
  }
}
