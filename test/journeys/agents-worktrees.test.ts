import {execFileSync} from 'node:child_process';
import {expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';

const writer = '---\nname: writer\ndescription: Writes.\nisolation: worktree\n---\nYou are writer.\n';
const colours = ['red', 'green', 'blue'];

test('three agents change one repository in worktrees, which are listed, merged and removed [agents.worktree]', async () => {
  let asked = false;
  await using place = await openAgentPlace({
    files: {'a.txt': 'mine\n', '../home/.gemini/agents/writer.md': writer},
    script: (request) => {
      if (request.system.startsWith('You are writer.')) {
        const words = JSON.stringify(request.messages);
        if (words.includes('run_shell_command')) return says('Written.');
        const colour = colours.find((one) => words.includes(`write ${one}.`)) ?? '';
        return callsTools(['run_shell_command', {command: `echo ${colour} > ${colour}.txt`}]);
      }
      if (asked) return says('All done.');
      asked = true;
      return callsTools(
        ...colours.map((one) => ['invoke_agent', {agent_name: 'writer', prompt: `write ${one}.`}] as const),
      );
    },
  });
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
      ...{cwd: place.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']},
    });
  git('init', '--quiet', '-b', 'main');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  await place.run(['trust', 'add']);
  expect(await place.ask(['--yolo', '-p', 'go'])).toMatchObject({report: {response: 'All done.'}});
  expect(git('status', '--porcelain')).toBe('');
  const listed = await place.run(['worktrees', 'list', '--json']);
  const {worktrees} = JSON.parse(listed.stdout) as {worktrees: readonly {name: string; branch: string}[]};
  expect(worktrees).toHaveLength(3);
  const [first] = worktrees;
  expect(await place.run(['worktrees', 'remove', first?.name ?? ''])).toMatchObject({
    ...{code: 1, stderr: expect.stringContaining('has work that is in no other branch')},
  });
  for (const {branch} of worktrees) git('merge', '--quiet', '-m', 'take it', branch);
  expect(
    git('ls-files')
      .split('\n')
      .filter((name) => name.endsWith('.txt')),
  ).toEqual(['a.txt', 'blue.txt', 'green.txt', 'red.txt']);
  for (const {name} of worktrees) expect(await place.run(['worktrees', 'remove', name])).toMatchObject({code: 0});
  expect((await place.run(['worktrees', 'list'])).stdout).toContain('There are no worktrees.');
  expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
  const shown = JSON.parse((await place.run(['sessions', 'show', '--agents', '--json'])).stdout) as {agents: unknown[]};
  expect(shown.agents).toHaveLength(3);
});
