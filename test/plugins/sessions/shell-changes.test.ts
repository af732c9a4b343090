import {appendFile, link, readdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {git, kinds, shellWork, treeOf} from './shell-work.js';

/** What a command does, and what cannot be brought back of it. */
const COMMANDS: readonly (readonly [what: string, command: string])[] = [
  ['a file that is changed', 'echo more >> a.txt'],
  ['a file that is replaced by another of the same length', 'printf "eno\\n" > new && mv new a.txt'],
  ['a file that is made', 'echo new > made.txt'],
  ['a file that is deleted', 'rm sub/b.txt'],
  ['a file that is renamed', 'mv a.txt renamed.txt'],
  ['a file that takes the place of another', 'mv a.txt sub/b.txt'],
  ['files in new folders', 'mkdir -p new/deep/er && echo x > new/deep/er/x.txt && echo y > new/y.txt'],
  ['a folder that is renamed', 'mv sub other'],
  ['a folder that is deleted', 'rm -r sub'],
  ['a folder that is replaced by a file', 'rm -r sub && echo file > sub'],
  ['a folder that is deleted and made again', 'rm -r sub && mkdir sub && echo again > sub/b.txt'],
  ['a link in the place of a file', 'rm a.txt && ln -s sub/b.txt a.txt'],
  ['a file that is not in git', 'echo more >> untracked.txt; rm dirty.txt'],
  ['many files', 'for i in $(seq 1 150); do echo $i > many-$i.txt; done'],
  ['a file in a folder that had ignored files only', 'mkdir -p empty/more && echo x > empty/more/x.txt'],
];

const TOO_SLOW = 'File changes of calls cannot be undone: saving them takes longer than 2200 ms.';
/** The commands before the one that makes 150 files. */
const MOST_AT_ONCE = 12;

/** A file that a restore replaces keeps the permissions that it has by then. */
const contentsOf = (tree: Readonly<Record<string, string>>): unknown =>
  Object.fromEntries(Object.entries(tree).map(([name, text]) => [name, text.replace(/^\d+ /, '')]));

describe.each(kinds)('%s', (kind) => {
  test('what commands changed comes back, each time [checkpoints.commands]', async () => {
    await using talk = await shellWork(kind);
    const before = contentsOf(await talk.tree());
    const results: unknown[] = [];
    for (const [what, command] of COMMANDS) {
      await talk.ask(what);
      await talk.sh('touch first.txt');
      await talk.sh(command);
      await talk.sh('echo again >> dirty.txt; rm first.txt');
      const isChanged = !isDeepStrictEqual(contentsOf(await talk.tree()), before);
      const {files} = await talk.sessions.rewind('current', what, {what: 'files', force: false});
      // On a busy machine, a call does not wait for ever for the changes of the one before it: a warning says so.
      if (isDeepStrictEqual(talk.warnings, [TOO_SLOW])) break;
      results.push([what, isChanged, files?.changed, files?.guarded, files?.lost, contentsOf(await talk.tree())]);
    }
    expect(results).toEqual(COMMANDS.slice(0, results.length).map(([what]) => [what, true, [], [], [], before]));
    expect([results.length > MOST_AT_ONCE, talk.warnings]).toEqual([
      true,
      results.length < COMMANDS.length ? [TOO_SLOW] : [],
    ]);
  });

  test('what a person changed between two commands is what is restored [checkpoints.commands]', async () => {
    await using talk = await shellWork(kind);
    await talk.ask('q');
    await talk.sh('echo 1 > first.txt');
    await writeFile(talk.at('a.txt'), 'by hand');
    await writeFile(talk.at('mine.txt'), 'mine');
    await appendFile(talk.at('first.txt'), 'and more');
    await talk.sh('echo 2 > a.txt; rm mine.txt first.txt');
    const [, second] = await talk.sessions.checkpoints('current');
    expect([...(second?.files ?? [])].sort()).toEqual(['a.txt', 'first.txt', 'mine.txt'].map(talk.at));
    await talk.sessions.restore('current', '2', {force: false});
    expect(await talk.tree()).toMatchObject({
      'a.txt': expect.stringMatching(/by hand$/),
      'mine.txt': expect.stringMatching(/mine$/),
      'first.txt': expect.stringMatching(/1\nand more$/),
    });
  });

  test('a right to execute is named, and stays [checkpoints.commands]', async () => {
    await using talk = await shellWork(kind);
    await talk.ask('q');
    await talk.sh('chmod +x a.txt');
    expect(await talk.sessions.checkpoints('current')).toMatchObject([
      {files: [], gaps: [`The command changed the execute permission of ${talk.at('a.txt')}, which is not restored.`]},
    ]);
    expect(talk.warnings).toEqual([]);
  });
});

test.each(kinds.slice(1))(
  'what is ignored is left out, and what stops being ignored was not made, %s [checkpoints.commands]',
  async (kind) => {
    await using talk = await shellWork(kind);
    await talk.ask('q');
    await talk.sh('echo x > out/made.txt; echo y > y.log; echo z > z.txt');
    expect((await talk.sessions.checkpoints('current')).map(({files}) => files)).toEqual([[talk.at('z.txt')]]);
    await writeFile(talk.at('old.log'), 'old');
    await talk.sh('echo "out/" > .gitignore; echo more >> x.log');
    await talk.sessions.rewind('current', 'q', {what: 'files', force: true});
    expect(await talk.tree()).toMatchObject({
      'x.log': expect.stringContaining('more'),
      'y.log': expect.stringMatching(/y\n$/),
      'old.log': expect.stringMatching(/old$/),
    });
  },
);

test.each([
  ['a commit', 'git add -A && git -c user.name=x -c user.email=x@y commit -qm y && echo late > a.txt'],
  [
    'another branch',
    'git stash -qu && git checkout -qb other && git rm -qr sub && git -c user.name=x -c user.email=x@y commit -qm z',
  ],
  ['a reset', 'git add -A && git reset -q --hard'],
  ['an index that is deleted', 'echo 2 > a.txt && rm .git/index'],
])('files that git itself changes come back: %s [checkpoints.commands]', async (_, command) => {
  await using talk = await shellWork('in a repository', {
    variables: {
      PATH: process.env['PATH'],
      GIT_AUTHOR_NAME: 'x',
      GIT_AUTHOR_EMAIL: 'x@y',
      GIT_COMMITTER_NAME: 'x',
      GIT_COMMITTER_EMAIL: 'x@y',
    },
  });
  const before = await talk.tree();
  await talk.ask('q');
  await talk.sh(command);
  await talk.sh('echo last > last.txt');
  const {files} = await talk.sessions.rewind('current', 'q', {what: 'files', force: false});
  expect(files).toMatchObject({changed: [], lost: []});
  expect(contentsOf(await talk.tree())).toEqual(contentsOf(before));
});

test('a folder in the place of a file is named, and stays [checkpoints.commands]', async () => {
  await using talk = await shellWork();
  await talk.ask('q');
  await talk.sh('rm a.txt && mkdir a.txt && echo in > a.txt/in');
  const {lost, removed} = await talk.sessions
    .rewind('current', 'q', {what: 'files', force: true})
    .then(({files}) => files ?? {lost: [], removed: []});
  expect([lost, removed]).toEqual([[{path: talk.at('a.txt'), reason: 'it is a directory'}], [talk.at('a.txt/in')]]);
});

test('a repository within is left alone [checkpoints.commands]', async () => {
  await using talk = await shellWork();
  await talk.ask('q');
  await talk.sh('mkdir inner && cd inner && git init -q && echo x > x.txt');
  await talk.sh('echo y > inner/x.txt; echo z > z.txt');
  expect((await talk.sessions.checkpoints('current')).map(({files}) => files)).toEqual([[talk.at('z.txt')]]);
});

test('a file whose changes git ignores is not restored to a wrong content [checkpoints.commands]', async () => {
  await using talk = await shellWork();
  git(talk.project, 'update-index', '--assume-unchanged', 'a.txt');
  await writeFile(talk.at('a.txt'), 'my own');
  await talk.ask('q');
  await talk.sh('echo command > a.txt');
  const restored = await talk.sessions.restore('current', '1', {force: false});
  expect(restored.lost).toEqual([{path: talk.at('a.txt'), reason: 'git is configured to ignore changes of it'}]);
  expect((await talk.tree())['a.txt']).toMatch(/command\n$/);
});

describe.each(['watch', 'scan', 'off'])('with general.checkpointing.commands %s', (commands) => {
  test('commands are followed as the setting says [checkpoints.setting]', async () => {
    await using talk = await shellWork('in a repository', {commands});
    await talk.ask('q');
    await talk.sh('echo 1 > a.txt');
    expect((await talk.sessions.checkpoints('current')).map(({files}) => files)).toEqual(
      commands === 'off' ? [] : [[talk.at('a.txt')]],
    );
  });
});

test('two conversations at once each know what their own commands changed [checkpoints.commands]', async () => {
  await using one = await shellWork();
  await using two = await shellWork('in a repository', {earlier: one});
  await Promise.all([one.ask('q'), two.ask('q')]);
  await one.sh('echo 1 > one.txt');
  await two.sh('echo 2 > two.txt');
  await one.sh('echo 3 >> two.txt');
  const files = async ({sessions}: typeof one): Promise<unknown> =>
    (await sessions.checkpoints('current')).map((checkpoint) => checkpoint.files);
  expect([await files(one), await files(two)]).toEqual([
    [[one.at('one.txt')], [one.at('two.txt')]],
    [[one.at('two.txt')]],
  ]);
  await one.sessions.restore('current', '2', {force: false});
  expect((await one.tree())['two.txt']).toMatch(/2\n$/);
});

test('what a command writes through another name of a file is seen by a look at everything [checkpoints.commands]', async () => {
  await using talk = await shellWork('in a repository', {commands: 'scan'});
  const outside = join(dirname(talk.project), 'other-name');
  await link(talk.at('a.txt'), outside);
  await talk.ask('q');
  await talk.sh(`echo through > ${outside}`);
  expect((await talk.sessions.checkpoints('current')).map(({files}) => files)).toEqual([[talk.at('a.txt')]]);
  expect(await readdir(dirname(outside))).toContain('other-name');
  expect(await treeOf(talk.project)).toMatchObject({'a.txt': expect.stringContaining('through')});
});
