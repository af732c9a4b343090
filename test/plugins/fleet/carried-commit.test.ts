import {existsSync, mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {withCommit, type CarriedCommit} from '#plugins/fleet/dist/repositories/carried-commit.js';
import {fleetGit} from '#plugins/fleet/dist/repositories/fleet-git.js';
import {Mirrors} from '#plugins/fleet/dist/repositories/mirrors.js';
import {makeFolder} from '../../helpers/make-plugin.js';
import {git, makeRepository} from './scene.js';

test('a commit of another machine is made again byte for byte, or not used [fleet.carried]', async () => {
  await using folder = await makeFolder();
  const [repository, mine] = [join(folder.path, 'a'), join(folder.path, 'mirrors')];
  makeRepository(repository, {'a.txt': 'one\n', 'b.txt': 'two\n'});
  mkdirSync(mine);
  const base = git(repository, 'rev-parse', 'HEAD').trim();
  makeRepository(repository, {'a.txt': 'changed\n', 'new/c.txt': 'three\n'});
  const commit = git(repository, 'rev-parse', 'HEAD').trim();
  const carried: CarriedCommit = {
    ...{repository, base, commit},
    patch: git(repository, 'diff', '--binary', '--full-index', base, commit),
    object: git(repository, 'cat-file', 'commit', commit),
  };
  git(repository, 'reset', '--quiet', '--hard', base);
  const {signal} = new AbortController();
  const ours = fleetGit({platform: process.platform, variables: process.env}, signal);
  const place = {git: ours, mirrors: new Mirrors(mine, ours, signal)};
  const tryIt = (changes: Partial<CarriedCommit>): Promise<string> =>
    withCommit(place, {...carried, ...changes}, (made) => ours.run(made, 'show', `${commit}:new/c.txt`));

  expect(await tryIt({})).toBe('three\n');
  const refusals: readonly (readonly [Partial<CarriedCommit>, string])[] = [
    [{commit: '../../../elsewhere'}, 'is no number of a commit'],
    [{base: '--upload-pack=x'}, 'is no number of a commit'],
    [{object: `${carried.object}more`}, 'gives another commit'],
    [{patch: carried.patch.replaceAll('three', 'other')}, 'git rev-list failed'],
    [{patch: ''}, 'git apply failed'],
    [{patch: carried.patch.replaceAll('new/c.txt', '../c.txt')}, 'git apply failed'],
  ];
  for (const [changes, reason] of refusals)
    await expect(tryIt(changes)).rejects.toMatchObject({
      code: 'REPOSITORY_FAILED',
      message: expect.stringContaining(reason),
    });
  expect(readdirSync(mine).filter((name) => name.includes(commit))).toEqual([]);
  expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false);
});
