import {setImmediate as turn} from 'node:timers/promises';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import type {Notice} from '@gemini-kernel/kernel';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {listenerCode, makeFolder, makePlugin, type Folder} from '../helpers/make-plugin.js';

let folder: Folder;
beforeAll(async () => {
  folder = await makeFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

interface Herald {
  /** Sends a notice from where the service lives. */
  tell(notice: Notice): Promise<void>;
  /** Opens a session, and says in which directory it is. */
  open(): Promise<string>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    'herald-program': Herald;
    'herald-place': Herald;
    'herald-session': Herald;
    'herald-cwd': {cwd(): Promise<string>};
  }
}

const scopes = ['program', 'place', 'session'] as const;

/** A plugin with a service in each scope that tells what it is given. */
function makeHerald() {
  const code = (scope: string): string => `import {provide} from '@gemini-kernel/kernel';
export default provide('herald-${scope}', {version: '1.0.0', scope: '${scope}', create: ({tell, open}) => ({
  tell: async (notice) => tell(notice),
  async open() {
    const session = open();
    const cwd = await (await session.service('herald-cwd')).cwd();
    await session.close();
    return cwd;
  },
})});`;
  return makePlugin(folder.path, {
    name: 'herald',
    services: [
      ...scopes.map((scope) => ({name: `herald-${scope}`, version: '1.0.0', scope, module: `./${scope}.js`})),
      {name: 'herald-cwd', version: '1.0.0', scope: 'session' as const, module: './cwd.js'},
    ],
    files: {
      ...Object.fromEntries(scopes.map((scope) => [`${scope}.js`, code(scope)])),
      'cwd.js':
        "import {provide} from '@gemini-kernel/kernel';\nexport default provide('herald-cwd', {version: '1.0.0', " +
        "scope: 'session', create: ({environment}) => ({cwd: async () => environment.cwd})});",
    },
  });
}

/** A plugin that shows the notices of sessions in the mode `shown`, and keeps what it got by session. */
function makeScreen(body = "return session.mode === 'shown' ? ['shown'] : [];") {
  return makePlugin(folder.path, {
    name: 'screen',
    listeners: [{hook: 'session:notice', module: './notice.js'}],
    files: {
      'notice.js': listenerCode(
        'session:notice',
        `const {session} = context; (globalThis.noticesSeen ??= []).push([session.id, payload]); ${body}`,
      ),
    },
  });
}

function peek(): unknown[] {
  return ((globalThis as {noticesSeen?: unknown[]}).noticesSeen ??= []);
}

function seen(): unknown[] {
  return peek().splice(0);
}

const notice = {code: 'SKY_GREEN', sentence: 'The sky is green.'};
const sent = {...notice, level: 'warning', source: 'herald'};

test('without a listener a notice goes to the host, with its level and its source [notices.host]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald()]});
  for (const scope of scopes) await (await kernel.service(`herald-${scope}`)).tell(notice);
  await (await kernel.service('herald-session')).tell({...notice, level: 'info'});
  expect(kernel.notices).toEqual([sent, sent, sent, {...sent, level: 'info'}]);
});

test('a service tells its session, the sessions of its place, or all; what one shows is not printed [notices.scope]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald(), await makeScreen()], mode: 'shown'});
  const beside = kernel.kernel.open({mode: 'shown'});
  const elsewhere = kernel.kernel.open({cwd: kernel.home, mode: 'shown'});
  // What is below a session speaks to the person through it.
  kernel.kernel.open({parent: beside});
  const [a, b, c] = [kernel.session, beside, elsewhere].map(({info: {id}}) => id);
  const until = async (scope: (typeof scopes)[number]): Promise<void> => {
    const count = {session: 1, place: 2, program: 3}[scope];
    while (peek().length < count) await turn();
  };
  const told: Record<string, unknown> = {};
  for (const scope of scopes) {
    await (await kernel.service(`herald-${scope}`)).tell(notice);
    await until(scope);
    told[scope] = seen();
  }
  expect(told).toEqual({
    session: [[a, sent]],
    place: [a, b].map((id) => [id, sent]),
    program: [a, b, c].map((id) => [id, sent]),
  });
  expect(kernel.notices).toEqual([]);
});

test('a notice that one of its sessions did not show is printed, once [notices.host]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald(), await makeScreen()], mode: 'shown'});
  const quiet = [kernel.kernel.open({mode: 'quiet'}), kernel.kernel.open({mode: 'quiet'})];
  await (await kernel.service('herald-place')).tell(notice);
  for (const session of quiet) await session.close();
  expect(seen()).toHaveLength(3);
  expect(kernel.notices).toEqual([sent]);
});

test('the same key is reported once in each scope [notices.once]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald()]});
  const other = kernel.kernel.open();
  for (const session of [kernel.session, kernel.session, other]) {
    await (await session.service('herald-session')).tell({...notice, once: 'sky'});
    await (await session.service('herald-place')).tell({...notice, once: 'sky'});
  }
  expect(kernel.notices).toHaveLength(3);
});

test('a notice of a careless plugin still reaches the person, complete [notices.host]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald()]});
  const odd = {level: 'loud', code: 7, sentence: undefined, more: 'x'} as unknown as Notice;
  await (await kernel.service('herald-session')).tell(odd);
  expect(kernel.notices).toEqual([{level: 'warning', code: '7', sentence: 'undefined', source: 'herald'}]);
});

test('a session closes when its notices were shown [notices.host]', async () => {
  const slow = 'await new Promise((resolve) => setTimeout(resolve, 200)); return [];';
  const kernel = await createTestKernel({plugins: [await makeHerald(), await makeScreen(slow)]});
  await (await kernel.service('herald-session')).tell(notice);
  await kernel.close();
  expect([seen().length, kernel.notices]).toEqual([1, [sent]]);
});

test.each([
  ['throws', "throw new Error('no paper');", 'no paper'],
  ['answers nonsense', "return ['perhaps'];", 'perhaps|shown'],
])('a listener of notices that %s is named once, and the notice is printed [notices.faults]', async (_, body, word) => {
  const kernel = await createTestKernel({plugins: [await makeHerald(), await makeScreen(body)]});
  await (await kernel.service('herald-session')).tell(notice);
  await kernel.close();
  seen();
  expect(kernel.notices).toEqual([
    {level: 'warning', code: 'LISTENER_FAILED', source: 'kernel', sentence: expect.stringMatching(word)},
    sent,
  ]);
});

test('a service of a place opens sessions in its own place [places.parent]', async () => {
  await using kernel = await createTestKernel({plugins: [await makeHerald()]});
  const elsewhere = kernel.kernel.open({cwd: kernel.home});
  expect(await (await elsewhere.service('herald-place')).open()).toBe(kernel.home);
});
