import {spawn} from 'node:child_process';
import {execPath} from 'node:process';

export interface ProgramRun {
  /** The program and the arguments before `args`; `node` is the one that runs this program. */
  readonly program: string | readonly [string, ...string[]];
  readonly args: readonly string[];
  readonly directory: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Called with each chunk of its standard output and error. */
  onOutput?(text: string): void;
}

export interface ProgramEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program without a shell and without input until it ends. Rejects when it cannot be started, and with the
 * signal's reason.
 */
export function runProgram({program, args, directory, variables, signal, onOutput}: ProgramRun): Promise<ProgramEnd> {
  const [file, ...before] = [program].flat() as [string, ...string[]];
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const child = spawn(file === 'node' ? execPath : file, [...before, ...args], {
      cwd: directory,
      env: variables,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const texts = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
        onOutput?.(text);
      });
    }
    const stop = (): void => void child.kill();
    signal.addEventListener('abort', stop, {once: true});
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({code, ...texts});
    });
  });
}
