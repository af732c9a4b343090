import {execFileSync} from 'node:child_process';
import {chmod, lstat, mkdir, readdir, readFile, readlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Sessions} from '@gemini-kernel/plugin-sessions/contract';
import {converse, said, type Conversation, type ConversationOptions} from './conversation.js';

/** A conversation in which real shell commands run. */
export interface ShellWork extends Conversation {
  readonly sessions: Sessions;
  at(name: string): string;
  ask(id: string): Promise<void>;
  /** Runs a command without a question. */
  sh(command: string): Promise<void>;
  /** Files of the project by name: mode and content; `.git` left out. */
  tree(): Promise<Readonly<Record<string, string>>>;
}

export const kinds = ['without git', 'in a repository', 'in a part of a repository'] as const;

export function git(cwd: string, ...words: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', '-c', 'commit.gpgsign=false', ...words], {
    cwd,
    stdio: 'ignore',
  });
}

/** Makes the project what its kind says, with some files that git does not hold as they are. */
async function prepare(project: string, kind: (typeof kinds)[number]): Promise<void> {
  await chmod(join(project, 'sub/b.txt'), 0o755);
  if (kind === 'without git') return;
  git(kind === 'in a repository' ? project : join(project, '..'), 'init', '-q', '-b', 'main');
  git(project, 'add', '-A');
  git(project, 'commit', '-q', '-m', 'x');
  await writeFile(join(project, 'dirty.txt'), 'changed since');
  await writeFile(join(project, 'untracked.txt'), 'not in git');
}

const FILES = {
  'a.txt': 'one\n',
  'sub/b.txt': 'two\n',
  'sub/deep/c.txt': 'three\n',
  'dirty.txt': 'as committed',
  'empty/.keep': '',
  '.gitignore': 'out/\n*.log\n',
  'out/made.txt': 'ignored',
  'x.log': 'ignored',
};

/** Opens a conversation in a project of a kind. */
export async function shellWork(
  kind: (typeof kinds)[number] = 'in a repository',
  options: ConversationOptions & {readonly commands?: string} = {},
): Promise<ShellWork> {
  const {commands = 'watch', ...rest} = options;
  const settings = {'.gemini/settings.json': JSON.stringify({general: {checkpointing: {commands}}})};
  const talk = await converse({
    files: FILES,
    homeFiles: settings,
    plugins: ['secrets', 'shell'],
    variables: {PATH: process.env['PATH']},
    ...rest,
  });
  if (!options.earlier) await prepare(talk.project, kind);
  const at = (name: string): string => join(talk.project, name);
  return {
    ...talk,
    at,
    sessions: await talk.service('sessions'),
    ask: (id) => talk.agent.change({kind: 'put', entry: said(id, `Do ${id}`)}),
    async sh(command) {
      const outcome = await talk.live.call(
        {tool: 'run_shell_command', input: {command}},
        {confirm: async () => ({decision: 'yes'})},
      );
      if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
    },
    tree: () => treeOf(talk.project),
  };
}

/** Files below a folder by name. */
export async function treeOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(folder, {withFileTypes: true, recursive: true})) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory() || name.split('/').includes('.git')) continue;
    const {mode} = await lstat(path);
    tree[name] = entry.isSymbolicLink()
      ? `-> ${await readlink(path)}`
      : `${(mode & 0o777).toString(8)} ${await readFile(path, 'utf8')}`;
  }
  return tree;
}

/** Makes a folder. */
export async function makeIn(project: string, name: string): Promise<string> {
  await mkdir(join(project, name), {recursive: true});
  return join(project, name);
}
