import {chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs';
import {lstat, readFile, readlink, stat} from 'node:fs/promises';
import {join} from 'node:path/posix';
import type {World} from '#plugins/policy/dist/engine/judge-part.js';
// Modules are loaded one after the other: at once, the test runner loses some.
import '../engine/make.js';
import {createJail, type Jail} from '../bash/jail.js';
import {reader} from '../bash/judge.js';
import {systemDisk} from '#plugins/policy/dist/engine/open-disk.js';

/** What a line did with what rules close. */
export interface Breach {
  /** Files that hold secrets, and were read. */
  readonly read: readonly string[];
  /** Files that are closed for writing, and are not what they were. */
  readonly written: readonly string[];
  /** Programs that a rule denies, and that were started. */
  readonly ran: readonly (readonly string[])[];
}

/** A jail with files that rules close, which notices when one is read or changed. */
export interface Vault {
  readonly isClosed: boolean;
  readonly world: World;
  run(line: string): Promise<Breach>;
  [Symbol.asyncDispose](): Promise<void>;
}

export const SECRETS = [
  '/work/.env',
  '/work/sub/.env',
  '/work/prod.env',
  '/work/deploy.key',
  '/home/me/.ssh/id_rsa',
  '/home/me/.netrc',
];
export const CLOSED = [
  '/work/.git/hooks/x',
  '/work/package.json',
  '/work/new.key',
  '/work/sub/.git/config',
  '/home/me/.bashrc',
  ...SECRETS,
];
const FOLDERS = ['/work/.git/hooks', '/work/sub/deep', '/work/sub/.git', '/work/d', '/home/me/.ssh'];
const PLAIN = [
  '/work/a.txt',
  '/work/b.txt',
  '/work/a.ts',
  '/work/sub/a.txt',
  '/work/sub/deep/c.ts',
  '/work/.git/HEAD',
  '/work/.git/config',
  '/work/d/e.txt',
];
const LINKS: readonly (readonly [string, string])[] = [
  ['/work/alias', '.env'],
  ['/work/link', 'sub/deep'],
  ['/work/up', '..'],
  ['/work/keys', '/home/me/.ssh'],
];
const REAL = [
  'head',
  'tail',
  'wc',
  'sed',
  'sort',
  'cut',
  'tac',
  'nl',
  'base64',
  'diff',
  'comm',
  'paste',
  'grep',
  'cp',
  'mv',
  'tee',
  'touch',
  'ln',
  'dd',
  'mkdir',
  'basename',
  'dirname',
  'ls',
  'setsid',
  'choom',
  'setarch',
  'setpriv',
  'stdbuf',
  'awk',
  'md5sum',
  'od',
  'rev',
  'realpath',
  'tr',
  'uniq',
  'tar',
  'start-stop-daemon',
  'ionice',
  'chrt',
  'dc',
];
const OLD = new Date('2020-01-01T00:00:00Z');
const CHANGED = new Date('2021-01-01T00:00:00Z');

/**
 * Makes a vault. Reading is noticed by the time of the last access, which a file system keeps for what was changed
 * since.
 */
export async function createVault(): Promise<Vault> {
  const jail = await createJail({real: REAL, stubs: ['rm', 'git', 'curl'], home: '/home/me', prepare: furnish});
  await furnish(jail.root);
  // A line is judged by many rules, one after the other, and read once.
  let last: {readonly line: string; readonly analysis: ReturnType<typeof reader.read>} | undefined;
  const world: World = {
    platform: 'linux',
    home: '/home/me',
    openShellReader: () =>
      Promise.resolve({
        read: (line, place) =>
          (last?.line === line ? last : (last = {line, analysis: reader.read(line, place)})).analysis,
      }),
    realPaths: (paths) => Promise.all(paths.map((path) => realIn(jail.root, path))),
    disk: {
      list: async (folder) => systemDisk.list(jail.root + (await realIn(jail.root, folder))),
      kind: (path) => systemDisk.kind(jail.root + path),
      read: async (file, most) => systemDisk.read(jail.root + (await realIn(jail.root, file)), most),
    },
  };
  return {
    isClosed: jail.isClosed,
    world,
    run: (line) => runIn(jail, line),
    [Symbol.asyncDispose]: () => jail[Symbol.asyncDispose](),
  };
}

/** Puts everything where a line expects it. Without waiting: it is done for each line. */
function furnish(root: string): Promise<void> {
  for (const folder of ['home', 'tmp', 'work']) rmSync(join(root, folder), {recursive: true, force: true});
  for (const folder of ['/tmp', '/home/me', ...FOLDERS]) mkdirSync(join(root, folder), {recursive: true});
  for (const file of PLAIN) writeFileSync(join(root, file), 'plain\n');
  for (const file of [...SECRETS, '/work/package.json']) {
    writeFileSync(join(root, file), 'secret\n');
    utimesSync(join(root, file), OLD, CHANGED);
  }
  for (const [link, target] of LINKS) symlinkSync(target, join(root, link));
  const folders = ['/tmp', '/work', '/work/sub', '/work/.git', '/home/me', ...FOLDERS];
  for (const one of folders) chmodSync(join(root, one), 0o777);
  for (const one of [...SECRETS, ...PLAIN, '/work/package.json']) chmodSync(join(root, one), 0o666);
  return Promise.resolve();
}

async function runIn(jail: Jail, line: string): Promise<Breach> {
  const {programs} = await jail.run(line);
  const read: string[] = [];
  const written: string[] = [];
  for (const path of SECRETS)
    if (
      await stat(join(jail.root, path)).then(
        ({atimeMs}) => atimeMs !== OLD.getTime(),
        () => false,
      )
    )
      read.push(path);
  for (const path of CLOSED) {
    const now = await readFile(join(jail.root, path), 'utf8').catch(() => undefined);
    const before = SECRETS.includes(path) || path === '/work/package.json' ? 'secret\n' : undefined;
    const isTouched =
      now !== undefined && now === before && (await stat(join(jail.root, path))).mtimeMs !== CHANGED.getTime();
    if (now !== before || isTouched) written.push(path);
  }
  // What it left behind is not what the next one is judged by.
  await furnish(jail.root);
  return {read, written, ran: programs.filter(([name]) => name === 'rm')};
}

/** The real path of one in the jail, whose links lead to places in there. */
async function realIn(root: string, path: string): Promise<string> {
  let real = '';
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  for (let links = 0; names.length > 0 && links < 40;) {
    const name = names.shift() as string;
    if (name === '..') {
      real = real.slice(0, Math.max(0, real.lastIndexOf('/')));
      continue;
    }
    const next = `${real}/${name}`;
    const isLink = await lstat(root + next).then(
      (found) => found.isSymbolicLink(),
      () => false,
    );
    if (!isLink) {
      real = next;
      continue;
    }
    links += 1;
    const target = await readlink(root + next);
    if (target.startsWith('/')) real = '';
    names.unshift(...target.split('/').filter((part) => part !== '' && part !== '.'));
  }
  return real || '/';
}
