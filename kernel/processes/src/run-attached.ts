import {spawn} from 'node:child_process';

/** A program that has the terminal, and all that this one was started with. */
export interface Attached {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  RUN_INTERRUPTED: 'SIGINT',
  RUN_TERMINATED: 'SIGTERM',
  RUN_HUNG_UP: 'SIGHUP',
};
/** As shells tell a program that a signal ended. */
const BASE = 128;
const NUMBERS: Readonly<Partial<Record<NodeJS.Signals, number>>> = {SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15};

/** Runs it to its end and gives its exit code. A signal that this program gets is passed on. */
export function runAttached({file, args, cwd, variables}: Attached, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {cwd, env: variables, stdio: 'inherit'});
    const pass = (): void => {
      const {code = ''} = signal.reason as {readonly code?: string};
      child.kill(SIGNALS[code] ?? 'SIGTERM');
    };
    signal.addEventListener('abort', pass, {once: true});
    child.once('error', reject);
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', pass);
      resolve(code ?? BASE + ((by && NUMBERS[by]) ?? 1));
    });
  });
}
