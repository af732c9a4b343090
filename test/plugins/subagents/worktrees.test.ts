import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, mkdir, readFile, realpath, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, says} from '../../helpers/run-agent.js';
import {agentFile, heard, isOf, openAgents} from './scene.js';

const WHO = ['-c', 'user.name=a', '-c', 'user.email=a@localhost'];

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...WHO, ...args], {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
}

async function openRepository(script: Script, more: Parameters<typeof openAgents>[1] = {}) {
  const conversation = await openAgents(script, {
    ...more,
    variables: {PATH: process.env['PATH'], ...more.variables},
    homeFiles: {'.gemini/agents/writer.md': agentFile('writer', 'isolation: worktree\n'), ...more.homeFiles},
    files: {'a.txt': 'one\ntwo\n', 'sub/b.txt': 'b\n', '.gitignore': 'out/\n', ...more.files},
  });
  await conversation.kernel.session.setMode('auto_edit');
  const project = await realpath(conversation.kernel.project);
  git(project, 'init', '--quiet', '-b', 'main');
  git(project, 'add', '.');
  git(project, 'commit', '--quiet', '-m', 'first');
  const worktrees = await conversation.kernel.service('worktrees');
  return Object.assign(conversation, {project, worktrees});
}

/** The main agent calls the writer as often as there are texts, at once; each writes its text to `a.txt`. */
function writers(texts: readonly string[]): Script {
  let asked = false;
  return (request) => {
    if (isOf(request, 'writer')) {
      const words = JSON.stringify(request.messages);
      const text = texts.find((one) => words.includes(`write ${one}.`)) ?? '';
      if (words.includes('write_file')) return says(`Wrote ${text}.`);
      return callsTools(['write_file', {file_path: 'a.txt', content: `${text}\n`}]);
    }
    if (asked) return says('Done.');
    asked = true;
    return callsTools(
      ...texts.map((text) => ['invoke_agent', {agent_name: 'writer', prompt: `write ${text}.`}] as const),
    );
  };
}

describe('an agent with a worktree of its own', () => {
  test('changes one repository beside two others, and none touches what the person has [agents.worktree]', async () => {
    await using scene = await openRepository(writers(['red', 'green', 'blue']));
    const {project, worktrees} = scene;
    await writeFile(join(project, 'a.txt'), 'mine\n');
    expect(await scene.send('go')).toMatchObject({status: 'done', text: 'Done.'});
    expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('mine\n');
    expect(git(project, 'status', '--porcelain')).toBe(' M a.txt\n');

    const trees = await worktrees.list();
    const found = trees.map(({branch}) => git(project, 'show', `${branch}:a.txt`));
    expect(found.sort()).toEqual(['blue\n', 'green\n', 'red\n']);
    expect(trees).toMatchObject(
      [1, 2, 3].map(() => ({commits: 1, uncommitted: false, others: false, isMerged: false})),
    );
    expect(heard(scene)).toContain('Take them with: git merge worktree-writer-');
    expect(heard(scene)).toContain('a.txt');
    const [, first] = scene.server.requests;
    expect(JSON.stringify(first?.messages)).toContain('Changes of the person that are not committed are not in it.');
  });

  test('that changes nothing leaves no worktree and no branch [agents.worktree]', async () => {
    let asked = false;
    await using scene = await openRepository((request) => {
      if (isOf(request, 'writer')) return says('Nothing to do.');
      if (asked) return says('Done.');
      asked = true;
      return callsTools(['invoke_agent', {agent_name: 'writer', prompt: 'look'}]);
    });
    await scene.send('go');
    expect(heard(scene)).toContain('It changed nothing: its worktree is removed.');
    expect(git(scene.project, 'branch', '--format=%(refname:short)')).toBe('main\n');
    expect(git(scene.project, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('that is cancelled has what it did on its branch [agents.worktree]', async () => {
    const stop = new AbortController();
    let turn = 0;
    let asked = false;
    await using scene = await openRepository((request) => {
      if (isOf(request, 'writer')) {
        if ((turn += 1) === 1) return callsTools(['write_file', {file_path: 'new.txt', content: 'half\n'}]);
        stop.abort(new Error('Enough.'));
        return says('Late.');
      }
      if (asked) return says('Done.');
      asked = true;
      return callsTools(['invoke_agent', {agent_name: 'writer', prompt: 'write'}]);
    });
    expect(await scene.send('go', stop.signal)).toMatchObject({status: 'aborted'});
    // Cancelling returns at once; the work is committed after that.
    let [tree] = await scene.worktrees.list();
    for (let tries = 0; tree?.commits !== 1 && tries < 100; tries += 1) [tree] = await scene.worktrees.list();
    expect(git(scene.project, 'show', `${tree?.branch}:new.txt`)).toBe('half\n');
  });
});

describe('a worktree', () => {
  test('is governed by the folder as it is now, and that is no part of the work [agents.worktree]', async () => {
    await using scene = await openRepository([], {files: {'.gemini/settings.json': '{"a": 1}'}});
    const {project, worktrees} = scene;
    await writeFile(join(project, '.gemini/settings.json'), '{"a": 2}');
    await mkdir(join(project, '.gemini/policies'));
    await writeFile(join(project, '.gemini/policies/own.toml'), '# mine\n');
    const tree = await worktrees.make('one');
    expect(await readFile(join(tree.folder, '.gemini/settings.json'), 'utf8')).toBe('{"a": 2}');
    expect(existsSync(join(tree.folder, '.gemini/policies/own.toml'))).toBe(true);
    expect(existsSync(join(tree.folder, '.gemini/worktrees'))).toBe(false);
    await writeFile(join(tree.path, 'a.txt'), 'new\n');
    expect(await worktrees.finish(tree, 'work')).toMatchObject({isKept: true, commits: 1, others: false});
    expect(git(project, 'diff', '--name-only', 'main', tree.branch)).toBe('a.txt\n');
    await writeFile(join(tree.folder, '.gemini/settings.json'), '{"a": 3}');
    expect(await worktrees.list()).toMatchObject([{others: true, uncommitted: false}]);
  });

  test('runs no hook of the repository [agents.worktree]', async () => {
    await using scene = await openRepository([]);
    const {project, worktrees} = scene;
    for (const name of ['post-checkout', 'pre-commit', 'post-commit', 'reference-transaction']) {
      const hook = join(project, '.git/hooks', name);
      await writeFile(hook, `#!/bin/sh\necho ran >> ${join(project, 'ran.txt')}\n`);
      await chmod(hook, 0o755);
    }
    const tree = await worktrees.make('one');
    await writeFile(join(tree.path, 'a.txt'), 'new\n');
    await worktrees.finish(tree, 'work');
    await worktrees.remove('one', true);
    expect(existsSync(join(project, 'ran.txt'))).toBe(false);
  });

  test('is read by git only as the worktree that it was [agents.worktree]', async () => {
    await using scene = await openRepository(() => says('Done.'));
    const {project, worktrees} = scene;
    const ran = join(project, 'ran');
    // A repository elsewhere, whose configuration has a program run for each file that is added.
    const trap = async (folder: string): Promise<void> => {
      await mkdir(folder, {recursive: true});
      git(folder, 'init', '--quiet');
      git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'first');
      for (const key of ['filter.x.clean', 'core.fsmonitor']) git(folder, 'config', key, `touch ${ran}; cat`);
    };
    const tree = await worktrees.make('one');
    await trap(join(tree.path, 'inner'));
    await writeFile(join(tree.path, '.gitattributes'), '* filter=x\n');
    expect(await worktrees.finish(tree, 'work')).toMatchObject({isKept: true});
    const other = await worktrees.make('two');
    await trap(join(project, 'trap'));
    await writeFile(join(other.path, '.git'), `gitdir: ${join(project, 'trap', '.git')}\n`);
    await writeFile(join(other.path, '.gitattributes'), '* filter=x\n');
    await expect(worktrees.finish(other, 'work')).rejects.toMatchObject({code: 'WORKTREE_FAILED'});
    expect((await worktrees.list()).map(({name}) => name)).toEqual(['one']);
    expect(existsSync(ran)).toBe(false);
  });

  test('with work in it is removed only when it is merged, or with a commit to find it by [agents.worktree]', async () => {
    await using scene = await openRepository([]);
    const {project, worktrees} = scene;
    const tree = await worktrees.make('one');
    await writeFile(join(tree.path, 'a.txt'), 'new\n');
    await expect(worktrees.remove('one', false)).rejects.toMatchObject({code: 'WORKTREE_UNMERGED'});
    expect(await worktrees.leave(tree)).toMatchObject({isKept: true, uncommitted: true, commits: 0});
    await worktrees.finish(tree, 'work');
    await expect(worktrees.remove('one', false)).rejects.toMatchObject({code: 'WORKTREE_UNMERGED'});
    git(project, 'merge', '--quiet', tree.branch);
    await mkdir(join(tree.path, 'out'));
    await writeFile(join(tree.path, 'out/built.txt'), 'ignored\n');
    await expect(worktrees.remove('one', false)).rejects.toMatchObject({code: 'WORKTREE_UNMERGED'});
    await worktrees.remove('one', true);
    expect(await readFile(join(project, 'a.txt'), 'utf8')).toBe('new\n');
    const two = await worktrees.make('two');
    await writeFile(join(two.path, 'lost.txt'), 'not lost\n');
    const {commit} = await worktrees.remove('two', true);
    expect(existsSync(two.path)).toBe(false);
    expect(git(project, 'show', `${commit}:lost.txt`)).toBe('not lost\n');
    await expect(worktrees.remove('two', false)).rejects.toMatchObject({code: 'WORKTREE_UNKNOWN'});
  });

  test('is entered again by its name with the rules of the folder, and by one process at a time [agents.worktree-run]', async () => {
    await using scene = await openRepository([], {files: {'.gemini/settings.json': '{"a": 1}'}});
    const {project, worktrees} = scene;
    const tree = await worktrees.enter('one');
    await expect(worktrees.enter('one')).rejects.toMatchObject({code: 'WORKTREE_IN_USE'});
    await writeFile(join(tree.path, 'a.txt'), 'new\n');
    expect(await worktrees.leave(tree)).toMatchObject({isKept: true, uncommitted: true});
    await writeFile(join(project, '.gemini/settings.json'), '{"a": 2}');
    const again = await worktrees.enter('one');
    expect(await readFile(join(again.path, 'a.txt'), 'utf8')).toBe('new\n');
    expect(await readFile(join(again.folder, '.gemini/settings.json'), 'utf8')).toBe('{"a": 2}');
    await writeFile(join(again.folder, '.gemini/settings.json'), '{"a": 3}');
    await worktrees.leave(again);
    // What was changed in the worktree is not taken away.
    await worktrees.leave(await worktrees.enter('one'));
    expect(await readFile(join(again.folder, '.gemini/settings.json'), 'utf8')).toBe('{"a": 3}');
    await expect(worktrees.enter('../one')).rejects.toMatchObject({code: 'WORKTREE_NAME'});
  });

  test('is refused with a reason where there can be none [agents.worktree]', async () => {
    await using scene = await openRepository([]);
    const {project, worktrees} = scene;
    for (const name of ['', '../x', '-x', 'a b', 'x.lock', 'a..b', 'x'.repeat(65)])
      await expect(worktrees.make(name)).rejects.toMatchObject({code: 'WORKTREE_NAME'});
    await worktrees.make('one');
    await expect(worktrees.make('one')).rejects.toMatchObject({code: 'WORKTREE_FAILED'});
    git(project, 'update-ref', '-d', 'refs/heads/main');
    await expect(worktrees.make('three')).rejects.toMatchObject({message: expect.stringContaining('no commit')});
  });

  test('is not made behind a link, without a repository or without trust [agents.worktree]', async () => {
    await using linked = await openRepository([]);
    await mkdir(join(linked.project, 'elsewhere'));
    await mkdir(join(linked.project, '.gemini'), {recursive: true});
    await symlink(join(linked.project, 'elsewhere'), join(linked.project, '.gemini/worktrees'));
    await expect(linked.worktrees.make('one')).rejects.toMatchObject({message: expect.stringContaining('is a link')});
    await using none = await openAgents([], {variables: {PATH: process.env['PATH']}});
    const worktrees = await none.kernel.service('worktrees');
    await expect(worktrees.make('one')).rejects.toMatchObject({message: expect.stringContaining('no git repository')});
    expect(await worktrees.list()).toEqual([]);
    await using foreign = await openRepository([], {variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}});
    await expect(foreign.worktrees.make('one')).rejects.toMatchObject({
      message: expect.stringContaining('without trust'),
    });
  });
});
