import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** A server of repositories that counts what reaches it: pushes by its hook, comments by a program. */
export interface Forge {
  /** A repository with one commit. */
  readonly repository: string;
  /** The words that say whether a comment is there, and those that write it. */
  readonly check: readonly string[];
  readonly comment: readonly string[];
  pushes(): readonly string[];
  comments(): readonly string[];
}

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'init.defaultBranch=main'];

/** Makes a forge in a folder. */
export function createForge(folder: string): Forge {
  const [source, repository] = [join(folder, 'source'), join(folder, 'forge.git')];
  const [pushed, commented] = [join(folder, 'pushes'), join(folder, 'comments')];
  const git = (...args: readonly string[]): void => void execFileSync('git', [...WHO, ...args], {stdio: 'pipe'});
  mkdirSync(join(source, '.gemini'), {recursive: true});
  writeFileSync(join(source, 'README.md'), '# A project\n');
  writeFileSync(join(source, '.gemini', 'settings.json'), '{"model": {"name": "never"}}');
  git('init', '--quiet', source);
  git('-C', source, 'add', '--all');
  git('-C', source, 'commit', '--quiet', '-m', 'first');
  git('clone', '--quiet', '--bare', source, repository);
  [pushed, commented].forEach((file) => writeFileSync(file, ''));
  const hook = join(repository, 'hooks', 'post-receive');
  writeFileSync(hook, `#!/bin/sh\nwhile read old new ref; do echo "$ref" >> '${pushed}'; done\n`, {mode: 0o755});
  const lines = (file: string): readonly string[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  return {
    repository,
    check: ['grep', '-qx', '{{id}}', commented],
    comment: ['sh', '-c', 'echo "$1" >> "$0"', commented, '{{id}}'],
    pushes: () => lines(pushed),
    comments: () => lines(commented),
  };
}
