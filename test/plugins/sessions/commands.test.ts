import {mkdir, readdir, readFile, realpath, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {fill} from './conversation.js';

interface Place {
  readonly project: string;
  readonly chats: string;
  run(...args: readonly string[]): Promise<RunResult>;
  [Symbol.asyncDispose](): Promise<void>;
}

const NOW = new Date().toISOString();
const session = (id: string, start: string, ...texts: readonly string[]): string =>
  [
    {sessionId: id, projectHash: 'p', startTime: start, lastUpdated: NOW, kind: 'main'},
    ...texts.map((text, index) => ({
      id: `${id}-${index}`,
      timestamp: start,
      type: index % 2 === 0 ? 'user' : 'gemini',
      content: [{text}],
    })),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** A project with two sessions, as the other program would leave it. */
async function place(sessions = true): Promise<Place> {
  const folder = await makeFolder();
  const [project, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
  await Promise.all([mkdir(project), mkdir(home)]);
  const chats = join(home, '.gemini/tmp/project/chats');
  if (sessions) {
    await fill(home, {
      '.gemini/projects.json': JSON.stringify({projects: {[await realpath(project)]: 'project'}}),
      '.gemini/tmp/project/.project_root': project,
    });
    await fill(chats, {
      'session-2026-01-01T00-00-first000.jsonl': session(
        'first0001',
        '2026-01-01T00:00:00.000Z',
        'How do I start?',
        'Like this.',
      ),
      'session-2026-01-02T00-00-second00.jsonl': session(
        'second001',
        '2026-01-02T00:00:00.000Z',
        'Another question',
        'Another answer',
        'And more',
        'More',
      ),
    });
  }
  const run: Place['run'] = (...args) => runGemini(args, {cwd: project, home, variables: {NO_COLOR: '1'}});
  return {project, chats, run, [Symbol.asyncDispose]: () => rm(folder.path, {recursive: true})};
}

const LIST =
  '\nAvailable sessions for this project (2):\n\n  1. How do I start? (Just now) [first0001]\n  2. Another ' +
  'question (Just now) [second001]\n';

test.each([[['sessions', 'list']], [['--list-sessions']]])('%j lists the sessions of the project', async (args) => {
  await using at = await place();
  expect(await at.run(...args)).toEqual({code: 0, stdout: LIST, stderr: ''});
});

test('without sessions the list says so, writes nothing and ends well', async () => {
  await using at = await place(false);
  expect(await at.run('--list-sessions')).toEqual({
    code: 0,
    stdout: 'No previous sessions found for this project.\n',
    stderr: '',
  });
  expect(await readdir(join(at.project, '../home'))).not.toContain('.gemini');
});

test('as JSON the list has all there is to know', async () => {
  await using at = await place();
  const {code, stdout} = await at.run('sessions', 'list', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      broken: [],
      sessions: [
        {id: 'first0001', number: 1, title: 'How do I start?'},
        {id: 'second001', number: 2},
      ],
    },
  ]);
});

describe('deleting', () => {
  test('by number takes that session only', async () => {
    await using at = await place();
    expect(await at.run('--delete-session', '1')).toEqual({
      code: 0,
      stdout: 'Deleted session 1: How do I start? (Just now)\n',
      stderr: '',
    });
    expect(await readdir(at.chats)).toEqual(['session-2026-01-02T00-00-second00.jsonl']);
  });

  test.each(['7', 'nothing'])('what is not there (%s) ends with 42 and deletes nothing', async (name) => {
    await using at = await place();
    const {code, stdout, stderr} = await at.run('--delete-session', name);
    expect([code, stdout, (await readdir(at.chats)).length]).toEqual([42, '', 2]);
    expect(stderr).toContain(`Invalid session identifier "${name}"`);
  });
});

test('show prints what was said', async () => {
  await using at = await place();
  expect(await at.run('sessions', 'show', '1')).toEqual({
    code: 0,
    stdout: '## USER 🧑‍💻\n\nHow do I start?\n\n## MODEL ✨\n\nLike this.\n',
    stderr: '',
  });
});

describe('exporting', () => {
  test('writes a file, and never over another one unasked', async () => {
    await using at = await place();
    const file = join(at.project, 'talk.json');
    expect(await at.run('sessions', 'export', 'latest', 'talk.json')).toEqual({
      code: 0,
      stdout: `Wrote ${file}.\n`,
      stderr: '',
    });
    const text = await readFile(file, 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      sessionId: 'second001',
      messages: [{type: 'user'}, {type: 'gemini'}, {}, {}],
    });
    const again = await at.run('sessions', 'export', '1', 'talk.json');
    expect([again.code, await readFile(file, 'utf8')]).toEqual([1, text]);
    expect(again.stderr).toContain('already exists');
    expect((await at.run('sessions', 'export', '1', 'talk.json', '--force')).code).toBe(0);
  });

  test.each([
    ['talk.txt', 42, 'EXPORT_FORMAT_UNKNOWN', 'has no known format'],
    ['missing/talk.md', 1, 'EXPORT_UNWRITABLE', 'it does not exist'],
    ['there.md', 1, 'EXPORT_EXISTS', 'already exists'],
  ])('to %s ends with %d', async (file, exit, code, sentence) => {
    await using at = await place();
    await writeFile(join(at.project, 'there.md'), 'mine');
    const run = await at.run('sessions', 'export', '1', file, '--json');
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([
      exit,
      {error: {code, message: expect.stringContaining(sentence)}},
    ]);
  });

  test('share is the same for the latest one', async () => {
    await using at = await place();
    expect((await at.run('sessions', 'tag', 'share', 'talk.md')).code).toBe(0);
    expect(await readFile(join(at.project, 'talk.md'), 'utf8')).toContain('## USER 🧑‍💻\n\nAnother question\n');
  });
});

test('search names the session and the line', async () => {
  await using at = await place();
  expect(await at.run('sessions', 'search', 'ANOTHER a')).toEqual({
    code: 0,
    stdout: '  2. Another question (Just now) [second001]\n       model: Another answer\n',
    stderr: '',
  });
});

describe('renaming a session', () => {
  test('gives it a name that lists show, and leaves its place in them [sessions.rename]', async () => {
    await using at = await place();
    const renamed = await at.run('sessions', 'rename', '1', ' The\n start ', '--json');
    expect(JSON.parse(renamed.stdout)).toMatchObject({session: {id: 'first0001', number: 1, title: 'The start'}});
    expect((await at.run('--list-sessions')).stdout).toMatch(/ {2}1\. The start .*\n {2}2\. Another question /);
    // The conversation itself is unchanged.
    expect((await at.run('sessions', 'show', '1')).stdout).toContain('Like this.');
    expect((await at.run('sessions', 'rename', '1', 'Again')).stdout).toBe('Session 1 is now called: Again\n');
    expect((await at.run('--list-sessions')).stdout).toMatch(/ {2}1\. Again /);
  });

  test.each([
    ['an empty name', '  ', 'SESSION_TITLE_INVALID'],
    ['a long name', 'x'.repeat(201), 'SESSION_TITLE_INVALID'],
  ])('refuses %s, and changes nothing [sessions.rename]', async (_, title, code) => {
    await using at = await place();
    const before = await readFile(join(at.chats, 'session-2026-01-01T00-00-first000.jsonl'), 'utf8');
    const renamed = await at.run('sessions', 'rename', '1', title, '--json');
    expect([renamed.code, JSON.parse(renamed.stdout)]).toEqual([42, {error: expect.objectContaining({code})}]);
    expect(await readFile(join(at.chats, 'session-2026-01-01T00-00-first000.jsonl'), 'utf8')).toBe(before);
  });
});

describe('rewinding outside a conversation', () => {
  test('that leaves something as it is names it and ends with 1 [authority.restore]', async () => {
    await using at = await place();
    const lost = {kind: 'file', hash: '0'.repeat(64), mode: 0o644};
    const before = [
      {path: join(await realpath(at.project), 'a.txt'), state: lost},
      {path: '/etc/passwd', state: lost},
    ];
    const after = before.map(({path}) => ({path, state: {kind: 'absent'}}));
    await fill(join(at.chats, '..', 'second001', 'checkpoints'), {
      'log.jsonl': `${JSON.stringify({id: 'c', tool: 'write_file', time: NOW, prompt: 'second001-0', before, after, gaps: []})}\n`,
    });
    const restored = await at.run('sessions', 'restore', '1', '--force');
    const rewound = await at.run('sessions', 'rewind', '1', '--what', 'files', '--force');
    expect([restored.code, rewound.code]).toEqual([1, 1]);
    for (const {stdout} of [restored, rewound])
      expect(stdout).toMatch(
        /Not restored: .*a\.txt \(its content is no longer saved\)[^]*Not restored: \/etc\/passwd \(it is no longer in the workspace\)/,
      );
  });

  test('lists the prompts, and takes back what came after', async () => {
    await using at = await place();
    expect((await at.run('sessions', 'rewind')).stdout).toBe('  1. Another question\n  2. And more\n');
    expect(await at.run('sessions', 'rewind', '2')).toEqual({
      code: 0,
      stdout: 'The conversation is back at the point before: And more\nNo files need to be restored.\n',
      stderr: '',
    });
    expect((await at.run('sessions', 'show')).stdout).toBe(
      '## USER 🧑‍💻\n\nAnother question\n\n## MODEL ✨\n\nAnother answer\n',
    );
    expect(await readdir(at.chats)).toHaveLength(2);
  });

  test('to what is not there ends with 42', async () => {
    await using at = await place();
    expect((await at.run('sessions', 'rewind', '9')).code).toBe(42);
    expect((await at.run('sessions', 'restore', '1')).code).toBe(42);
    expect((await at.run('sessions', 'restore')).stdout).toBe('No call has changed files in this session.\n');
  });
});

test('a conversation is saved, listed, made a session again, and deleted', async () => {
  await using at = await place();
  expect((await at.run('sessions', 'tag', 'list')).stdout).toBe(
    'There are no saved conversations. To save one, use /chat save <name> in a conversation.\n',
  );
  expect((await at.run('sessions', 'tag', 'save', 'mine')).stdout).toBe('Saved as mine.\n');
  expect((await at.run('sessions', 'tag', 'save', 'mine')).code).toBe(1);
  expect((await at.run('sessions', 'tag', 'list')).stdout).toBe('  mine (Just now)\n');
  expect((await at.run('sessions', 'tag', 'load', 'mine')).stdout).toMatch(
    /^Created a session from mine\. To continue it, run: gemini --resume [-0-9a-f]+\n$/,
  );
  expect((await at.run('sessions', 'tag', 'delete', 'mine')).stdout).toBe('Deleted mine.\n');
  expect((await at.run('sessions', 'tag', 'delete', 'mine')).code).toBe(42);
  expect(await readdir(at.chats)).toHaveLength(3);
});
