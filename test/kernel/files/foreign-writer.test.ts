import {chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {findForeignWriter} from '@gemini-kernel/files';
import {makeFolder} from '../../helpers/make-plugin.js';

/** Changing owners needs root, which the tests have where users are tested. */
const asRoot = process.getuid?.() === 0 ? test : test.failing;
const USER = 4321;

/** A home of USER with a file in a folder, all as a careful person has it. */
async function makeHome(): Promise<{
  readonly home: string;
  readonly file: string;
  readonly folder: string;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const {path, [Symbol.asyncDispose]: dispose} = await makeFolder();
  const [home, folder] = [join(path, 'home'), join(path, 'home', '.gemini')];
  const file = join(folder, 'settings.json');
  mkdirSync(folder, {recursive: true});
  writeFileSync(file, '{}');
  for (const one of [home, folder, file]) chownSync(one, USER, USER);
  chmodSync(home, 0o755);
  chmodSync(folder, 0o755);
  chmodSync(file, 0o644);
  return {home, file, folder, [Symbol.asyncDispose]: dispose};
}

type Spoil = (home: Awaited<ReturnType<typeof makeHome>>) => void;

asRoot.each<[string, Spoil]>([
  ['0755 and 0644', () => undefined],
  ['0700 and 0600', ({folder, file}) => [chmodSync(folder, 0o700), chmodSync(file, 0o600)]],
  ['the folder of root', ({folder, file}) => [chownSync(folder, 0, 0), chownSync(file, 0, 0)]],
  ['group 0', ({file}) => [chownSync(file, USER, 0), chmodSync(file, 0o664)]],
  ['a home in a sticky folder that everyone writes', ({home}) => chmodSync(join(home, '..'), 0o1777)],
  ['a file in a sticky folder of its owner', ({folder}) => chmodSync(folder, 0o1777)],
  ['a folder above home that everyone writes', ({home}) => chmodSync(join(home, '..'), 0o777)],
])('no one else writes: %s [files.writers]', async (_, spoil) => {
  await using place = await makeHome();
  spoil(place);
  expect(findForeignWriter(place.file, {home: place.home, user: USER})).toBeUndefined();
});

asRoot.each<[string, Spoil, (place: Awaited<ReturnType<typeof makeHome>>) => object]>([
  [
    'a file that everyone writes',
    ({file}) => chmodSync(file, 0o666),
    ({file}) => ({path: file, reason: 'it can be written by everyone', repair: `chmod o-w ${file}`}),
  ],
  [
    'a folder that everyone writes',
    ({folder}) => chmodSync(folder, 0o777),
    ({folder}) => ({path: folder, reason: 'it can be written by everyone', repair: `chmod o-w ${folder}`}),
  ],
  [
    'a home that everyone writes',
    ({home}) => chmodSync(home, 0o777),
    ({home}) => ({path: home, reason: 'it can be written by everyone', repair: `chmod o-w ${home}`}),
  ],
  [
    'a file of another user',
    ({file}) => chownSync(file, 99, USER),
    ({file}) => ({path: file, reason: 'it is owned by another user (99)', repair: `chown ${USER} ${file}`}),
  ],
  [
    'a sticky folder of another user',
    ({folder}) => [chownSync(folder, 99, 99), chmodSync(folder, 0o1777)],
    ({folder}) => ({path: folder, reason: 'it is owned by another user (99)', repair: expect.any(String)}),
  ],
  [
    'a group that is not listed',
    ({file}) => chmodSync(file, 0o664),
    ({file}) => ({
      path: file,
      reason: `it can be written by its group (${USER}, whose members are not known)`,
      repair: `chmod g-w ${file}`,
    }),
  ],
  [
    'a group with others',
    ({file}) => [chownSync(file, USER, 33), chmodSync(file, 0o664)],
    ({file}) => ({
      path: file,
      reason: 'it can be written by its group (www-data, with www-data)',
      repair: `chmod g-w ${file}`,
    }),
  ],
])('someone else writes: %s [files.writers]', async (_, spoil, expected) => {
  await using place = await makeHome();
  spoil(place);
  expect(findForeignWriter(place.file, {home: place.home, user: USER})).toEqual(expected(place));
});

asRoot('links are followed, and those who may replace them count', async () => {
  await using place = await makeHome();
  const options = {home: place.home, user: USER};
  const elsewhere = join(place.home, '..', 'elsewhere');
  mkdirSync(elsewhere, {mode: 0o755});
  chmodSync(join(place.home, '..'), 0o755);
  const [target, link] = [join(elsewhere, 'dot file'), join(place.folder, 'link.json')];
  writeFileSync(target, '{}', {mode: 0o644});
  symlinkSync(target, link);
  expect(findForeignWriter(link, options)).toBeUndefined();
  chmodSync(target, 0o666);
  expect(findForeignWriter(link, options)).toMatchObject({path: target, repair: `chmod o-w '${target}'`});
  chmodSync(target, 0o644);
  chmodSync(elsewhere, 0o777);
  expect(findForeignWriter(link, options)).toMatchObject({path: elsewhere});
  chmodSync(elsewhere, 0o755);
  chmodSync(place.folder, 0o777);
  expect(findForeignWriter(link, options)).toMatchObject({path: place.folder});
  symlinkSync('loop', join(place.home, 'loop'));
  expect([
    findForeignWriter(join(place.home, 'none'), options),
    findForeignWriter(join(place.home, 'loop'), options),
  ]).toEqual([undefined, undefined]);
});
