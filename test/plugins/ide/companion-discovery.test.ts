import {existsSync} from 'node:fs';
import {chmod, chown, mkdir, readdir, readFile, stat, symlink, utimes, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {meet, spawnKit, startKit, type KitProcess} from './companion-kit.js';

const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;
const folderOf = (temporary: string): string => join(temporary, 'gemini', 'ide');
const filesOf = async (temporary: string): Promise<readonly string[]> =>
  existsSync(folderOf(temporary)) ? (await readdir(folderOf(temporary))).sort() : [];
const nameOf = ({pid, port}: {pid: number; port: number}): string => `gemini-ide-server-${pid}-${port}.json`;
const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o1777).toString(8);

async function killed(kit: KitProcess): Promise<void> {
  kit.child.kill('SIGKILL');
  await kit.end();
}

test(
  'the discovery file says all that gemini needs to the user alone, follows the roots, and is gone with the ' +
    'companion',
  async () => {
    await using folder = await makeFolder();
    const temporary = folder.path;
    const roots = [join(temporary, 'a b'), join(temporary, 'ü')];
    const companion = await startKit({temporary, pid: process.pid, roots});
    const {port, token} = companion;
    const file = join(folderOf(temporary), nameOf({pid: process.pid, port}));
    const read = async (): Promise<object> => JSON.parse(await readFile(file, 'utf8')) as object;
    const said = {
      port,
      authToken: token,
      ideInfo: {name: 'memory', displayName: 'Memory'},
      machine: expect.any(String),
    };
    expect(await read()).toEqual({...said, workspacePath: roots.join(delimiter)});
    expect(companion.variables()).toEqual({
      GEMINI_CLI_IDE_SERVER_PORT: String(port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: roots.join(delimiter),
      GEMINI_CLI_IDE_AUTH_TOKEN: token,
    });
    if (isPosix)
      expect(await Promise.all([join(temporary, 'gemini'), folderOf(temporary), file].map(modeOf))).toEqual([
        '700',
        '700',
        '600',
      ]);
    await companion.setRoots([]);
    expect(await read()).toEqual({...said, workspacePath: ''});
    await Promise.all([companion.setRoots([roots[0] ?? '']), companion.setRoots(roots.slice(1))]);
    expect([await read(), companion.variables()['GEMINI_CLI_IDE_WORKSPACE_PATH']]).toEqual([
      {...said, workspacePath: roots[1]},
      roots[1],
    ]);
    await companion.close();
    await companion.setRoots(roots);
    expect(await filesOf(temporary)).toEqual([]);
  },
);

test('two companions have a file each, and their own sessions and tokens', async () => {
  await using folder = await makeFolder();
  await using one = await startKit({temporary: folder.path, pid: process.pid});
  await using other = await startKit({temporary: folder.path, pid: process.pid});
  expect(await filesOf(folder.path)).toEqual([one, other].map(({port}) => nameOf({pid: process.pid, port})).sort());
  await expect(meet({port: one.port, token: other.token})).rejects.toThrow('401');
  await using stranger = await meet(other);
  expect(await stranger.request('ping')).toMatchObject({result: {}});
  await one.close();
  expect(await filesOf(folder.path)).toEqual([nameOf({pid: process.pid, port: other.port})]);
});

test(
  'the file of an owner that was killed stays until another companion starts, which leaves those that live and ' +
    'those of others',
  async () => {
    await using folder = await makeFolder();
    const temporary = folder.path;
    await using crashed = await spawnKit(temporary);
    await using living = await spawnKit(temporary);
    await killed(crashed);
    expect(await filesOf(temporary)).toEqual([crashed, living].map(nameOf).sort());
    const {pid: dead} = crashed;
    const stranger = await readFile(join(folderOf(temporary), nameOf(living)), 'utf8').then(
      (text) => JSON.parse(text) as {machine: string},
    );
    const put = async (name: string, text: string, ageHours = 0): Promise<string> => {
      const time = Date.now() / 1000 - ageHours * 3600;
      await writeFile(join(folderOf(temporary), name), text);
      await utimes(join(folderOf(temporary), name), time, time);
      return name;
    };
    const said = (more: object): string => JSON.stringify({...stranger, port: crashed.port, ...more});
    const kept = [
      nameOf(living),
      // Its process is gone, and something listens on its port all the same.
      await put(nameOf({pid: dead, port: living.port}), said({port: living.port})),
      // Its process lives.
      await put(nameOf({pid: process.pid, port: crashed.port}), said({})),
      // Of another or an unknown machine: it may be of a container.
      await put(nameOf({pid: dead, port: 1}), said({port: 1, machine: 'another'}), 100),
      await put(nameOf({pid: dead, port: 2}), '{"port": 2}'),
      await put('notes.json', 'mine', 100),
      await put(`${nameOf({pid: dead, port: 4})}.0-1.tmp`, '{'),
    ];
    await put(nameOf({pid: dead, port: 3}), '{"port": 3}', 25);
    await put(`${nameOf({pid: dead, port: 5})}.0-1.tmp`, '{', 1);
    if (isRoot) {
      kept.push(await put(nameOf({pid: dead, port: 6}), said({port: 6})));
      await chown(join(folderOf(temporary), nameOf({pid: dead, port: 6})), 12_345, 12_345);
    }
    await using next = await spawnKit(temporary);
    expect(await filesOf(temporary)).toEqual([...kept, nameOf(next)].sort());
  },
);

test('an editor whose companion crashed and starts again has one file, not two', async () => {
  await using folder = await makeFolder();
  const options = {pid: process.pid};
  await using crashed = await spawnKit(folder.path, {options});
  await killed(crashed);
  await using again = await spawnKit(folder.path, {options});
  expect(await filesOf(folder.path)).toEqual([nameOf({pid: process.pid, port: again.port})]);
});

test.each(isPosix ? (['SIGTERM', 'SIGINT', 'SIGHUP'] as const) : [])(
  '%s ends the program as it would have, and the file is gone',
  async (signal) => {
    await using folder = await makeFolder();
    await using kit = await spawnKit(folder.path);
    kit.child.kill(signal);
    expect({end: await kit.end(), files: await filesOf(folder.path)}).toEqual({end: {code: null, signal}, files: []});
  },
);

test('a program that listens to a signal decides for itself, and keeps its companion meanwhile', async () => {
  await using folder = await makeFolder();
  await using kit = await spawnKit(folder.path);
  if (!isPosix) return;
  await kit.act('listen', {signal: 'SIGTERM'});
  kit.child.kill('SIGTERM');
  expect(await kit.line()).toBe('"heard"');
  expect(await filesOf(folder.path)).toEqual([nameOf(kit)]);
  await using stranger = await meet(kit);
  expect(await stranger.request('ping')).toMatchObject({result: {}});
  await kit.act('close');
  expect(await filesOf(folder.path)).toEqual([]);
});

test('an uncaught error ends the program, and the file is gone', async () => {
  await using folder = await makeFolder();
  await using kit = await spawnKit(folder.path);
  await kit.act('throw');
  expect({end: await kit.end(), files: await filesOf(folder.path), said: kit.stderr()}).toEqual({
    end: {code: 1, signal: null},
    files: [],
    said: expect.stringContaining('The editor has a fault.'),
  });
});

const VARIABLES_ONLY = 'gemini finds this editor only from terminals that the editor opens: ';

test('in a folder of another user, nothing is written and the reason is reported; the variables still work', async () => {
  if (!isRoot) return;
  await using folder = await makeFolder();
  await mkdir(folderOf(folder.path), {recursive: true});
  await chown(join(folder.path, 'gemini'), 12_345, 12_345);
  const warnings: string[] = [];
  await using companion = await startKit({temporary: folder.path, warn: (sentence) => warnings.push(sentence)});
  expect({warnings, files: await filesOf(folder.path)}).toEqual({
    warnings: [`${VARIABLES_ONLY}${join(folder.path, 'gemini')} belongs to another user (12345).`],
    files: [],
  });
  expect(companion.variables()['GEMINI_CLI_IDE_SERVER_PORT']).toBe(String(companion.port));
  await using stranger = await meet(companion);
  expect(await stranger.request('ping')).toMatchObject({result: {}});
});

test(
  "a folder that everybody may change is made the user's own, one with the sticky bit stays, and a link or a file " +
    'is refused',
  async () => {
    if (!isPosix) return;
    await using folder = await makeFolder();
    const [own, ide] = [join(folder.path, 'gemini'), folderOf(folder.path)];
    await mkdir(ide, {recursive: true});
    await chmod(own, 0o1777);
    await chmod(ide, 0o777);
    await (await startKit({temporary: folder.path})).close();
    expect([await modeOf(own), await modeOf(ide)]).toEqual(['1777', '755']);

    await using other = await makeFolder();
    await symlink(own, join(other.path, 'gemini'));
    await using third = await makeFolder();
    await writeFile(join(third.path, 'gemini'), '');
    const warnings: string[] = [];
    for (const temporary of [other.path, third.path])
      await (await startKit({temporary, warn: (sentence) => warnings.push(sentence)})).close();
    expect(warnings).toEqual(
      [other, third].map(({path}) => `${VARIABLES_ONLY}${join(path, 'gemini')} is not a folder.`),
    );
  },
);

test('a folder that takes no file is reported, whether it is read-only or full, and no part of a file is left', async () => {
  if (!isPosix) return;
  await using folder = await makeFolder();
  await mkdir(folderOf(folder.path), {recursive: true});
  await chmod(folderOf(folder.path), 0o555);
  await using locked = await spawnKit(folder.path);
  expect(locked.stderr()).toMatch(
    /only from terminals that the editor opens: Cannot write .*gemini-ide-server-\d+-\d+\.json: permission denied\.\n$/,
  );
  await using full = await makeFolder();
  // No file may grow: to a program it is what a full disk is.
  await using kit = await spawnKit(full.path, {before: 'ulimit -f 0'});
  expect(kit.stderr()).toContain(`${VARIABLES_ONLY}Cannot write ${join(folderOf(full.path), nameOf(kit))}: EFBIG`);
  expect([await filesOf(folder.path), await filesOf(full.path)]).toEqual([[], []]);
  await using stranger = await meet(kit);
  expect(await stranger.request('ping')).toMatchObject({result: {}});
});
