import {spawn} from 'node:child_process';
import {join} from 'node:path';
import type {RunEnd, RunOptions} from '@gemini-kernel/command';

/** Runs this program as another process and waits for its end. */
export function runAgain(root: string, argv: readonly string[], options: RunOptions): Promise<RunEnd> {
  const {directory, show, variables, deadline, signal} = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'gemini.cjs'), ...argv], {
      ...(directory === undefined ? {} : {cwd: directory}),
      env: {...process.env, ...variables},
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      ...(deadline === undefined ? {} : {timeout: deadline}),
      ...(signal === undefined ? {} : {signal}),
      ...(deadline === undefined && signal === undefined ? {} : {killSignal: 'SIGKILL'}),
    });
    const both: Buffer[] = [];
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => both.push(chunk) && out.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => both.push(chunk) && err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();
      resolve({code: code ?? 1, output: textOf(both), stdout: textOf(out), stderr: textOf(err), isLate: child.killed});
    });
  });
}
