import {execFile, execFileSync} from 'node:child_process';
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import {nodeUnderModes} from '../helpers/node-under-modes.js';
import {checkout} from '../helpers/plugin-root.js';

const DIGEST = '0123456789abcdef';
// V8 compiles a function from its source when it is first called; what stands outside of one comes from the cache.
const GOOD =
  'Object.assign(exports, {apart: [], carried: {}, shared: {}, packages: {}}); const says = "good"; ' +
  'exports.main = () => says;';
const EVIL = GOOD.replace('good', 'evil');
const OTHER_USER = 12345;

let folder: string;
let home: string;
let cache: string;
let dist: string;

/** A program like ours, small, in a read-only folder, as where it is installed for all users. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compile-cache-'));
  await chmod(folder, 0o755);
  [home, cache, dist] = [join(folder, 'home'), join(folder, 'home', '.cache', 'gemini'), join(folder, 'bin', 'dist')];
  await mkdir(home);
  await mkdir(dist, {recursive: true});
  for (const name of ['load-bundle.cjs', 'compile-cache.cjs'])
    await copyFile(join(checkout, 'bin', name), join(folder, 'bin', name));
  await writeFile(join(dist, 'host.cjs'), `//${DIGEST}\n${GOOD}`);
  await writeFile(
    join(folder, 'start.cjs'),
    'const {host, save} = require("./bin/load-bundle.cjs").loadHost(process.argv[2]); console.log(host.main()); ' +
      'save?.();',
  );
  await chmod(dist, 0o555);
});

afterEach(async () => {
  await chmod(dist, 0o755);
  await rm(folder, {recursive: true, force: true});
});

async function start(): Promise<string> {
  const [program, ...args] = nodeUnderModes();
  const env = {PATH: process.env['PATH'] ?? '', HOME: home};
  const {stdout} = await promisify(execFile)(program, [...args, join(folder, 'start.cjs'), dist], {
    env,
    timeout: 20_000,
  });
  return stdout.trim();
}

/** What V8 makes of another program of the same length, under the name that is looked for. */
function compileEvil(): {readonly name: string; readonly data: Buffer} {
  const script = `
    const vm = require('node:vm');
    const wrapper = '(function (exports, require, module, __filename, __dirname, __import) {' + process.argv[1] + '\\n})';
    process.stdout.write(new vm.Script(wrapper, {filename: process.argv[2]}).createCachedData());`;
  const data = execFileSync(process.execPath, ['-e', script, `//${DIGEST}\n${EVIL}`, join(dist, 'host.cjs')]);
  return {name: `host-${process.version}-${process.arch}-${DIGEST}.cache`, data};
}

test('a cache beside the program is used: what is planted there runs, so the cases below would show it', async () => {
  const {name, data} = compileEvil();
  await writeFile(join(dist, name), data, {mode: 0o644});
  expect(await start()).toBe('evil');
});

test('a second start uses the cache that the first one made in the folder of the user [cache.is-code]', async () => {
  expect(await start()).toBe('good');
  const [name = ''] = await readdir(cache);
  const [before, {mode}] = [await readFile(join(cache, name)), await lstat(join(cache, name))];
  const made = await lstat(join(cache, name));
  expect([await start(), mode & 0o777, (await lstat(cache)).mode & 0o777]).toEqual(['good', 0o600, 0o700]);
  const after = await lstat(join(cache, name));
  expect([after.ino, await readFile(join(cache, name))]).toEqual([made.ino, before]);
});

const planted: readonly (readonly [string, (file: string, data: Buffer) => Promise<void>])[] = [
  ['without the code of this user', (file, data) => writeFile(file, data, {mode: 0o600})],
  [
    'with a code of another key',
    (file, data) => writeFile(file, Buffer.concat([Buffer.alloc(32, 7), data]), {mode: 0o600}),
  ],
  [
    'by another user',
    async (file, data) => {
      await writeFile(file, data, {mode: 0o600});
      await chown(file, OTHER_USER, OTHER_USER);
    },
  ],
  [
    'writable by others',
    async (file, data) => {
      await writeFile(file, data);
      await chmod(file, 0o666);
    },
  ],
  [
    'as a link',
    async (file, data) => {
      await writeFile(`${file}.real`, data, {mode: 0o600});
      await symlink(`${file}.real`, file);
    },
  ],
  ['as a link to itself', (file) => symlink(file, file)],
  ['as a folder', async (file) => void (await mkdir(file))],
  ['as a pipe', async (file) => void execFileSync('mkfifo', [file])],
  ['as a link to a device', (file) => symlink('/dev/zero', file)],
  ['empty', (file) => writeFile(file, '', {mode: 0o600})],
];

test.each(planted)('a cache that was planted %s is passed by [cache.is-code]', async (_, plant) => {
  const {name, data} = compileEvil();
  await mkdir(cache, {recursive: true, mode: 0o700});
  await plant(join(cache, name), data);
  expect(await start()).toBe('good');
});

test('a cache beside the program that another user made is passed by [cache.is-code]', async () => {
  const {name, data} = compileEvil();
  await writeFile(join(dist, name), data);
  await chown(join(dist, name), OTHER_USER, OTHER_USER);
  expect(await start()).toBe('good');
});

test('a cache that was good under another program, key or file is passed by [cache.is-code]', async () => {
  await start();
  const [name = ''] = await readdir(cache);
  const bytes = await readFile(join(cache, name));
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
  await writeFile(join(cache, name), bytes);
  expect(await start()).toBe('good');
  await writeFile(join(home, '.gemini', 'cache.key'), Buffer.alloc(32));
  expect(await start()).toBe('good');
});

test.each([
  ['is open to others', () => mkdir(cache, {recursive: true}).then(() => chmod(cache, 0o777))],
  [
    'is linked',
    async () => {
      await mkdir(join(home, '.cache'));
      await mkdir(join(folder, 'elsewhere'), {mode: 0o700});
      await symlink(join(folder, 'elsewhere'), cache);
    },
  ],
  ['belongs to another user', () => mkdir(cache, {recursive: true}).then(() => chown(cache, OTHER_USER, OTHER_USER))],
  [
    'is below a folder that others may write',
    () => mkdir(cache, {recursive: true}).then(() => chmod(join(home, '.cache'), 0o777)),
  ],
])('nothing is kept in a folder that %s [cache.is-code]', async (_, spoil) => {
  await spoil();
  expect(await start()).toBe('good');
  expect((await readdir(cache)).filter((name) => name.endsWith('.cache'))).toEqual([]);
});

test('root with the home of a user leaves nothing there [cache.is-code]', async () => {
  await chown(home, OTHER_USER, OTHER_USER);
  expect([await start(), await readdir(home)]).toEqual(['good', []]);
});
