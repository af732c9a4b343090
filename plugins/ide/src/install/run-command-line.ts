import {spawn} from 'node:child_process';
import {killGroup} from '../companion/host-process.js';
import type {Environment} from '@gemini-kernel/kernel';
import type {CommandLine} from './read-cmd-file.js';

export interface CommandLineRun {
  readonly line: CommandLine;
  readonly args: readonly string[];
  readonly environment: Pick<Environment, 'cwd' | 'platform' | 'variables'>;
  /** Ends it and everything that it started; the run then rejects with the reason. */
  readonly signal: AbortSignal;
}

/** How it ended, and the end of its output. */
export interface CommandLineEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly output: string;
}

const MOST_OUTPUT = 16 * 1024;

/** Runs an editor's command line to its end, without a shell and without input. Rejects when it cannot be started. */
export function runCommandLine({
  line,
  args,
  environment: {cwd, platform, variables},
  signal,
}: CommandLineRun): Promise<CommandLineEnd> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const child = spawn(line.program, [...line.before, ...args, ...line.after], {
      // A process group of its own: most command lines are scripts that start the editor.
      cwd,
      env: {...variables, ...line.variables},
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      detached: platform !== 'win32',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-MOST_OUTPUT)));
    const stop = (): void => {
      killGroup(child);
      // A process that holds the output may keep running; do not wait for it.
      child.stdout.destroy();
      child.stderr.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, {once: true});
    const end = (act: () => void): void => {
      signal.removeEventListener('abort', stop);
      act();
    };
    child.once('error', (error) => end(() => reject(error)));
    child.once('close', (code) => end(() => resolve({code, output})));
  });
}
