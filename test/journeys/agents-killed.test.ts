import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import type {Script} from '@gemini-kernel/plugin-agent/testing';
import {checkout} from '../helpers/plugin-root.js';
import {callsTools, openAgentPlace, says} from '../helpers/run-agent.js';
import {isolate} from '../helpers/run-gemini.js';
import {onPosix} from '../helpers/where.js';

const writer = '---\nname: writer\ndescription: Writes.\nisolation: worktree\n---\nYou are writer.\n';
const colours = ['red', 'green', 'blue'];

/** Three agents write one file after the other; the main agent, when it is resumed, says what it sees. */
const work: Script = ({system, messages}) => {
  const words = JSON.stringify(messages);
  if (!system.startsWith('You are writer.')) {
    if (words.includes('continue')) return says(`Heard: ${/unknown|interrupted/i.exec(words)?.[0] ?? 'nothing'}.`);
    return callsTools(
      ...colours.map((one) => ['invoke_agent', {agent_name: 'writer', prompt: `write ${one}.`}] as const),
    );
  }
  const colour = colours.find((one) => words.includes(`write ${one}.`)) ?? '';
  const round = messages.filter(({role}) => role === 'model').length;
  return callsTools(['write_file', {file_path: `${colour}-${round}.txt`, content: `${colour}\n`}]);
};

onPosix.each([4, 9, 16])(
  'killed at request %d with three agents at work, a conversation resumes, and no work is lost [agents.killed]',
  async (requests) => {
    await using place = await openAgentPlace({script: work, files: {'../home/.gemini/agents/writer.md': writer}});
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
        ...{cwd: place.project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']},
      });
    git('init', '--quiet', '-b', 'main');
    git('commit', '--quiet', '--allow-empty', '-m', 'first');
    await place.run(['trust', 'add']);
    const variables = {GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: place.server.url};
    const child = spawn(
      process.execPath,
      [join(checkout, 'bin', 'gemini.cjs'), '-m', 'model-a', '--yolo', '-p', 'go'],
      {cwd: place.project, env: isolate(place.home, variables), stdio: 'ignore'},
    );
    const ended = once(child, 'close');
    await place.server.arrived(requests);
    child.kill('SIGKILL');
    await ended;

    expect(git('status', '--porcelain')).toBe('');
    const listed = JSON.parse((await place.run(['worktrees', 'list', '--json'])).stdout) as {
      worktrees: readonly {name: string; uncommitted: boolean}[];
    };
    const written = listed.worktrees.filter(({uncommitted}) => uncommitted);
    // Those that had begun to write are there with what they wrote.
    if (requests > 8) expect(written.length).toBeGreaterThan(0);
    const resumed = await place.ask(['--resume', 'latest', '-p', 'continue']);
    expect(resumed).toMatchObject({
      code: 0,
      report: {response: expect.stringMatching(/^Heard: (unknown|interrupted)/i)},
    });
    const shown = JSON.parse((await place.run(['sessions', 'show', '--agents', '--json'])).stdout) as {
      agents: readonly {agent: string}[];
    };
    expect(new Set(shown.agents.map(({agent}) => agent))).toEqual(new Set(['writer']));
    for (const {name} of listed.worktrees)
      expect(await place.run(['worktrees', 'remove', name, '--discard'])).toMatchObject({code: 0});
    expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
  },
);
