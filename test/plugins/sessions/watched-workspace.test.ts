import {linkSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {kinds, shellWork, type ShellWork} from './shell-work.js';
import {WatchedWorkspace} from '#plugins/sessions/dist/watch/watched-workspace.js';
import {CommandFollower} from '#plugins/sessions/dist/watch/follow-commands.js';
import {Snapshots} from '#plugins/sessions/dist/file-state.js';

const PLENTY = {mostFolders: 1000, mostEvents: 1000};

interface Limits {
  readonly mostFolders?: number;
  readonly mostEvents?: number;
  readonly betweenLooksMs?: number;
}

interface Seen {
  readonly changed: readonly string[];
  readonly gaps: readonly string[];
  readonly isStale: boolean;
  readonly isReady: boolean;
}

async function optionsOf(talk: ShellWork): Promise<ConstructorParameters<typeof WatchedWorkspace>[0]> {
  const scratch = join(talk.home, 'scratch');
  return {
    roots: [talk.project],
    variables: {PATH: process.env['PATH']},
    workspace: await talk.service('workspace'),
    store: new Snapshots(join(scratch, 'objects')),
    scratch,
    limits: PLENTY,
  };
}

/** What of the project changed while `act` ran, by name. */
async function watching(talk: ShellWork, act: () => void, {betweenLooksMs, ...limits}: Limits = {}): Promise<Seen> {
  const watched = new WatchedWorkspace({
    ...(await optionsOf(talk)),
    limits: {...PLENTY, ...limits},
    ...(betweenLooksMs === undefined ? {} : {betweenLooksMs}),
  });
  try {
    const isReady = await watched.ready;
    if (!isReady) return {changed: [], gaps: [], isStale: watched.isStale, isReady};
    await watched.sync();
    const since = Date.now();
    act();
    const {before, gaps} = await watched.changes(await watched.take(), since);
    return {
      changed: before.map(({path, state}) => `${path.slice(talk.project.length + 1)} ${state.kind}`).sort(),
      gaps,
      isStale: watched.isStale,
      isReady,
    };
  } finally {
    await watched.close();
  }
}

test.each(kinds)(
  'a queue that overflows is made up for by a look at everything, %s [checkpoints.watch]',
  async (kind) => {
    await using talk = await shellWork(kind);
    const act = (): void => {
      for (let index = 0; index < 60; index += 1) writeFileSync(talk.at(`sub/deep/made-${index}.txt`), 'x');
      writeFileSync(talk.at('a.txt'), 'changed now');
      rmSync(talk.at('dirty.txt'));
      renameSync(talk.at('sub/b.txt'), talk.at('moved.txt'));
    };
    const {changed, ...rest} = await watching(talk, act, {mostEvents: 50});
    const made = Array.from({length: 60}, (_, index) => `sub/deep/made-${index}.txt absent`);
    expect(changed).toEqual([...made, 'a.txt file', 'dirty.txt file', 'moved.txt absent', 'sub/b.txt file'].sort());
    expect(rest).toEqual({gaps: [], isStale: true, isReady: true});
  },
);

test.each(kinds)(
  'what makes no event is found by the next look at everything, %s [checkpoints.watch]',
  async (kind) => {
    await using talk = await shellWork(kind);
    const outside = join(dirname(talk.project), `other-${kind.length}`);
    linkSync(talk.at('a.txt'), outside);
    const through = (): void => writeFileSync(outside, 'through another name');
    expect((await watching(talk, through, {betweenLooksMs: 3_600_000})).changed).toEqual([]);
    expect(
      (await watching(talk, () => writeFileSync(outside, 'once more, by it'), {betweenLooksMs: -1})).changed,
    ).toEqual(['a.txt file']);
  },
);

test('where folders cannot all be watched nothing is, and files are compared instead [checkpoints.watch]', async () => {
  await using talk = await shellWork();
  expect(await watching(talk, () => undefined, {mostFolders: 2})).toMatchObject({isReady: false});
  const following = {...(await optionsOf(talk)), following: 'watch', platform: 'darwin'} as const;
  const follower = new CommandFollower(following);
  const followed = await follower.before();
  writeFileSync(talk.at('a.txt'), 'on a system without such a watch');
  const {before} = await (await follower.after(followed))();
  expect([followed.kind, before.map(({path}) => path)]).toEqual(['scanned', [talk.at('a.txt')]]);
  await follower.close();
});

test('a watch that has lost something is replaced before the next command [checkpoints.watch]', async () => {
  await using talk = await shellWork();
  const follower = new CommandFollower({...(await optionsOf(talk)), following: 'watch', platform: 'linux'});
  try {
    const run = async (act: () => void): Promise<readonly [string, readonly string[]]> => {
      const followed = await follower.before();
      act();
      const {before} = await (await follower.after(followed))();
      return [followed.kind, before.map(({path}) => path.slice(talk.project.length + 1)).sort()];
    };
    const rules = (): void => writeFileSync(talk.at('.gitignore'), '*.log\n');
    for (let attempt = 0; attempt < 50 && (await run(() => undefined))[0] !== 'watched'; attempt += 1);
    expect(await run(rules)).toEqual(['watched', ['.gitignore']]);
    for (let attempt = 0; attempt < 50 && (await run(() => undefined))[0] !== 'watched'; attempt += 1);
    // Its folder was ignored, and therefore not watched, until the rules changed.
    expect(await run(() => writeFileSync(talk.at('out/new.txt'), 'x'))).toEqual(['watched', ['out/new.txt']]);
    const flood = (): void => {
      for (let index = 0; index < 600; index += 1) writeFileSync(talk.at(`flood-${index}`), 'x');
    };
    flood();
    const [kind, changed] = await run(() => rmSync(talk.at('flood-1')));
    expect([kind, changed]).toEqual(['scanned', ['flood-1']]);
    // A busy machine takes its time for the new watch.
    for (let attempt = 0; attempt < 50 && (await run(() => undefined))[0] !== 'watched'; attempt += 1);
    expect(await run(() => mkdirSync(talk.at('e')))).toEqual(['watched', []]);
    expect(await run(() => writeFileSync(talk.at('e/f'), 'x'))).toEqual(['watched', ['e/f']]);
  } finally {
    await follower.close();
  }
});
