import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {shellWork, type ShellWork} from './shell-work.js';

const ENV = {PATH: process.env['PATH'], GEMINI_CLI_TRUST_WORKSPACE: 'true', GIT_AUTHOR_NAME: 'x'};
const work = (): Promise<ShellWork> =>
  shellWork('in a repository', {plugins: ['trust', 'policy', 'secrets', 'shell'], variables: ENV});

/** Whether anything was prepared for a command: files that git does not hold are copied before the first one. */
function isFollowed({home, live}: ShellWork): boolean {
  return existsSync(join(home, '.gemini/tmp/project', live.info.id, 'checkpoints/objects'));
}

test('for commands that only look nothing is done [checkpoints.reading]', async () => {
  await using talk = await work();
  await talk.ask('q');
  for (const command of [
    'ls',
    'cat a.txt | head -1',
    'git status',
    'grep -rn one sub && echo found',
    'cd sub && pwd',
    'sort a.txt 2>/dev/null',
  ])
    await talk.sh(command);
  expect([isFollowed(talk), await talk.sessions.checkpoints('current')]).toEqual([false, []]);
});

test.each([
  'echo x > a.txt',
  'ls > list.txt',
  'cat a.txt | tee b.txt',
  'sort -o made.txt a.txt',
  'sed -i s/one/two/ a.txt',
  'touch made.txt',
  'ls; touch made.txt',
  'cp a.txt made.txt',
  'echo $(touch made.txt)',
  'bash -c "touch made.txt"',
  'find . -name a.txt -delete',
  'git checkout -- dirty.txt',
  'git rm -q a.txt',
])('%s is followed [checkpoints.reading]', async (command) => {
  await using talk = await work();
  await talk.ask('q');
  await talk.sh(command);
  const [checkpoint] = await talk.sessions.checkpoints('current');
  expect([isFollowed(talk), checkpoint?.files.length]).toEqual([true, 1]);
});

test('a rule of the person that allows a program does not say that it only looks [checkpoints.reading]', async () => {
  const mine =
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "allow"\npriority = 500\n';
  await using talk = await shellWork('in a repository', {
    plugins: ['trust', 'policy', 'secrets', 'shell'],
    variables: ENV,
    homeFiles: {'.gemini/policies/mine.toml': mine},
  });
  await talk.ask('q');
  await talk.sh('touch made.txt');
  expect((await talk.sessions.checkpoints('current')).map(({files}) => files)).toEqual([[talk.at('made.txt')]]);
});
