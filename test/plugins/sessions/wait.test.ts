import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {fill} from './conversation.js';

const START = '2026-01-01T00:00:00.000Z';
const lines = [
  {sessionId: 'busy0001', projectHash: 'p', startTime: START, lastUpdated: START, kind: 'main'},
  {id: 'q', timestamp: START, type: 'user', content: [{text: 'Earlier'}]},
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');
const answer = `${JSON.stringify({
  method: 'stream',
  response: [
    {kind: 'text', text: 'Here.'},
    {kind: 'end', reason: 'stop'},
  ],
})}\n`;

interface Busy {
  /** Has the session until its input ends. */
  readonly holder: ChildProcess;
  run(...args: readonly string[]): Promise<RunResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A session that another process has. */
async function busy(): Promise<Busy> {
  const folder = await makeFolder();
  const [project, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
  await Promise.all([mkdir(project), mkdir(home)]);
  const file = join(home, '.gemini/tmp/project/chats/session-2026-01-01T00-00-busy0001.jsonl');
  await fill(home, {
    '.gemini/projects.json': JSON.stringify({projects: {[await realpath(project)]: 'project'}}),
    '.gemini/tmp/project/.project_root': project,
    'answers.jsonl': answer,
  });
  await fill(join(file, '..'), {'session-2026-01-01T00-00-busy0001.jsonl': lines});
  const holder = spawn(process.execPath, [fileURLToPath(new URL('hold-session.js', import.meta.url)), file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return {
    holder,
    run: (...args) =>
      runGemini([...args, '-m', `replay:${join(home, 'answers.jsonl')}`], {
        cwd: project,
        home,
        variables: {NO_COLOR: '1'},
      }),
    async [Symbol.asyncDispose]() {
      holder.kill('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('a busy session is an error that names --wait, the process and a copy [sessions.wait]', async () => {
  await using at = await busy();
  const {code, stderr} = await at.run('-r', 'latest', '-p', 'hi');
  expect(code).toBe(42);
  expect(stderr).toContain(`Process ${at.holder.pid} on `);
  expect(stderr).toContain(
    'Wait for it: gemini --resume busy0001 --wait. Or end that process, or start from a copy: gemini --session-file ',
  );
});

test('with --wait the session continues when the other process is done, and the wait is said [sessions.wait]', async () => {
  await using at = await busy();
  const running = at.run('-r', 'latest', '--wait', '-p', 'hi');
  // Longer than a listener usually has.
  const release = setTimeout(() => at.holder.stdin?.end(), 5500);
  const {code, stdout, stderr} = await running;
  clearTimeout(release);
  expect([code, stdout.trim()]).toEqual([0, 'Here.']);
  expect(stderr).toContain(`Waiting for process ${at.holder.pid} on `);
});

test('with --wait and seconds the error comes when they are over [sessions.wait]', async () => {
  await using at = await busy();
  const {code, stderr} = await at.run('-r', 'latest', '--wait', '0.2', '-p', 'hi');
  expect([
    code,
    stderr.includes('SESSION') || stderr.includes('has been recording the session'),
    stderr.includes('Waiting'),
  ]).toEqual([42, true, false]);
});

test.each(['soon', '-1', '1e9', '99999999'])(
  '--wait=%s is refused with SESSION_WAIT_INVALID [sessions.wait]',
  async (given) => {
    await using at = await busy();
    const {code, stdout} = await at.run('-r', 'latest', `--wait=${given}`, '-p', 'hi', '-o', 'json');
    expect([code, stdout]).toEqual([
      42,
      expect.stringContaining(`--wait must be a number of seconds, not \\"${given}\\".`),
    ]);
  },
);
