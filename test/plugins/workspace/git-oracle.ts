import {execFile, spawn} from 'node:child_process';
import {join, relative} from 'node:path';
import {promisify} from 'node:util';
import type {IgnoreRule} from '@gemini-kernel/plugin-workspace/contract';

const run = promisify(execFile);
// Without the git configuration of the user who runs the tests.
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.excludesFile',
  GIT_CONFIG_VALUE_0: '/dev/null',
};

/** Runs git in a directory and gives what it prints. */
export async function git(directory: string, ...args: readonly string[]): Promise<string> {
  return (await run('git', ['-C', directory, ...args], {env})).stdout;
}

/** What `git check-ignore -v` says of each path: the line that ignores it, or undefined. */
export async function checkIgnore(
  repository: string,
  paths: readonly string[],
): Promise<readonly (IgnoreRule | undefined)[]> {
  const output = await feed(repository, paths.map((path) => `${relative(repository, path)}\0`).join(''));
  const fields = output.split('\0');
  return paths.map((_, index) => {
    const [file, line, pattern] = fields.slice(4 * index);
    if (!file || !pattern || pattern.startsWith('!')) return undefined;
    return {file: join(repository, file), line: Number(line), pattern};
  });
}

function feed(repository: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'git',
      ['-C', repository, 'check-ignore', '--verbose', '--non-matching', '-z', '--stdin', '--no-index'],
      {env},
    );
    const chunks: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
    child.on('error', reject);
    // 1 says that nothing is ignored.
    child.on('close', (code) =>
      code === 0 || code === 1
        ? resolve(Buffer.concat(chunks).toString())
        : reject(new Error(Buffer.concat(complaints).toString())),
    );
    child.stdin.end(input);
  });
}
