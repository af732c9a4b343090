import {spawn} from 'node:child_process';
import {platform} from 'node:process';
import {Keeper} from './keeper.js';
import {hasGroups} from './signal-group.js';

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

/**
 * Runs it to its end and gives its exit code. A signal that this program gets is passed on. It stays in the group of
 * this program, which has the terminal, and ends also when this program dies without a chance to pass a signal on.
 */
export function runAttached({file, args, cwd, variables}: Attached, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const keeper = hasGroups(platform) ? new Keeper('/bin/sh') : undefined;
  keeper?.start();
  const run = new Promise<number>((resolve, reject) => {
    const child = spawn(file, args, {cwd, env: variables, stdio: 'inherit'});
    const pass = (): void => {
      const {code = ''} = signal.reason as {readonly code?: string};
      child.kill(SIGNALS[code] ?? 'SIGTERM');
    };
    signal.addEventListener('abort', pass, {once: true});
    if (child.pid !== undefined) keeper?.addProcess(child.pid);
    child.once('error', reject);
    child.once('exit', (code, by) => {
      signal.removeEventListener('abort', pass);
      if (child.pid !== undefined) keeper?.removeProcess(child.pid);
      resolve(code ?? BASE + ((by && NUMBERS[by]) ?? 1));
    });
  });
  return run.finally(() => keeper?.close());
}
