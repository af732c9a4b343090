import {spawn} from 'node:child_process';
import {join} from 'node:path';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';

/** Runs this program as another process and waits for its end. */
export function runAgain(root: string, argv: readonly string[], {directory, show, variables}: Parameters<CommandHost['run']>[1]): Promise<{code: number; output: string}> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bin', 'gemini.cjs'), ...argv], {cwd: directory, env: {...process.env, ...variables}, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe']});
    const output: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({code: code ?? 1, output: Buffer.concat(output).toString()}));
  });
}
