import {expect, test} from '@jest/globals';
import type {Form} from '@gemini-kernel/kernel';
import type {Trust} from '@gemini-kernel/plugin-trust/contract';
import type {PendingRoot, Workspace} from '@gemini-kernel/plugin-workspace/contract';
import {askForDirectories, askForTrust} from '#plugins/agent/dist/ask-for-trust.js';

const pending: readonly PendingRoot[] = [
  {path: '/work/lib', wantedBy: 'project', isClosed: false},
  {path: '/home/me/.ssh', wantedBy: 'session', isClosed: true},
];

test.each([
  [{outcome: 'answered', values: {add: true}} as const, ['/work/lib']],
  [{outcome: 'answered', values: {add: false}} as const, []],
  [{outcome: 'closed'} as const, []],
  [{outcome: 'nobody'} as const, []],
])(
  'directories that wait are asked about when a conversation starts, and %j adds %j; closed ones are only named ' +
    '[authority.directories]',
  async (answer, expected) => {
    const [said, added]: string[][] = [[], []];
    const asked: Form[] = [];
    const workspace = {
      pending: () => Promise.resolve(pending),
      add: (paths: readonly string[]) => Promise.resolve(void added?.push(...paths)),
    } as unknown as Workspace;
    await askForDirectories(workspace, {
      ask: (form) => Promise.resolve((asked.push(form), answer)),
      say: (line) => void said?.push(line),
    });
    expect([added, asked.length, said?.join('\n').includes('Not adding /home/me/.ssh')]).toEqual([expected, 1, true]);
  },
);

test('nothing is asked when nothing waits [authority.directories]', async () => {
  const workspace = {pending: () => Promise.resolve([])} as unknown as Workspace;
  await askForDirectories(workspace, {ask: () => Promise.reject(new Error('It asked.')), say: () => undefined});
});

test('the question of trust names the directories that the project would bring in [authority.directories]', async () => {
  const asked: Form[] = [];
  const trust = {
    state: () => Promise.resolve({trusted: false, source: 'none', folder: '/work/app', reason: ''}),
  } as unknown as Trust;
  await askForTrust({
    trust,
    wants: ['/work/lib'],
    ask: (form) => Promise.resolve((asked.push(form), {outcome: 'closed'})),
    say: () => undefined,
  });
  expect(asked).toMatchObject([{text: expect.stringContaining('/work/lib'), about: {folder: '/work/app'}}]);
});
