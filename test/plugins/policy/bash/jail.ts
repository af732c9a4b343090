import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** What a line did when it was run. */
export interface Ran {
  /** Each program that was started, with its arguments. Builtins are not programs. */
  readonly programs: readonly (readonly string[])[];
  /** Files that were not there before. */
  readonly files: readonly string[];
}

/** A place where any line may run: whatever it names is a stub that only notes that it was called. */
export interface Jail {
  /** Whether it has a root of its own, so that absolute paths lead to stubs as well. */
  readonly isClosed: boolean;
  /** Its root, as the system sees it. */
  readonly root: string;
  run(line: string): Promise<Ran>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Programs that run others, or on which substitutions depend: real ones. */
const REAL = ['bash', 'env', 'xargs', 'find', 'timeout', 'nice', 'nohup', 'cat', 'base64', 'seq', 'mktemp'];
const STUBS = [
  'rm',
  'git',
  'ls',
  'sudo',
  'curl',
  'echo',
  'date',
  'python3',
  'make',
  'npm',
  'cp',
  'mv',
  'tee',
  'wc',
  'grep',
];
const LIMIT_MS = 2_000;
/**
 * Functions that call each other would fill the machine with processes. No real user has this number, so the
 * limit counts only those of the jail.
 */
const UNUSED_USER = 54_321;
const LIMITS = 'ulimit -f 256 -t 1 -u 120';

/** Its own name and its arguments, in one piece, behind what others noted. Not even BASH_ENV reaches it. */
const stubOf = (log: string, bash: string): string =>
  `#!${bash} -p\nprintf -v noted '%s\\037' "\${0##*/}" "$@"\nprintf '%s\\036' "$noted" >> '${log}'\n`;

/** What a jail has besides what every jail has. */
export interface Furniture {
  /** Real programs; those that the system has not are left out. */
  readonly real?: readonly string[];
  /** Programs that only note that they were called; without them the usual ones. */
  readonly stubs?: readonly string[];
  /** The home directory, in there. */
  readonly home?: string;
  /** Puts everything in its place before a line runs. `root` is that of the jail. */
  readonly prepare?: (root: string) => Promise<void>;
}

/** Makes a jail: with a root of its own where the system lets anyone have one, else a search path of stubs. */
export async function createJail({real = [], stubs = STUBS, home = '/work', prepare}: Furniture = {}): Promise<Jail> {
  // In memory where the system has such a place: a jail is emptied and filled for each line.
  const root = await mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'jail-'));
  const isClosed = canChangeRoot();
  await chmod(root, 0o755);
  const [bin, work] = [join(root, 'bin'), join(root, 'work')];
  for (const folder of [bin, work, join(root, 'dev'), join(root, 'usr'), join(root, 'tmp')]) await mkdir(folder);
  await symlink('../bin', join(root, 'usr', 'bin'));
  await writeFile(join(root, 'dev', 'null'), '');
  for (const open of [join(root, 'dev', 'null'), join(root, 'tmp')]) await chmod(open, 0o777);
  for (const name of [...REAL, ...real].filter(pathOf))
    await (isClosed ? carry(name, root) : symlink(pathOf(name), join(bin, name)));
  await symlink('bash', join(bin, 'sh'));
  const inside = isClosed ? '' : root;
  for (const name of stubs) {
    await writeFile(join(bin, name), stubOf(`${inside}/log`, `${inside}/bin/bash`));
    await chmod(join(bin, name), 0o755);
  }
  const start = isClosed ? [...confine(root), '/bin/bash'] : [join(bin, 'bash')];
  return {
    isClosed,
    root,
    run: (line) => runLine(line, {root, start, inside, home, prepare}),
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}

interface Cell {
  readonly prepare: Furniture['prepare'] | undefined;
  readonly root: string;
  readonly start: readonly string[];
  readonly inside: string;
  readonly home: string;
}

async function runLine(line: string, {root, start, inside, home, prepare}: Cell): Promise<Ran> {
  const work = join(root, 'work');
  await rm(work, {recursive: true, force: true});
  await mkdir(join(work, 'sub'), {recursive: true});
  for (const open of [work, join(work, 'sub')]) await chmod(open, 0o777);
  await writeFile(join(work, 'a.txt'), 'one\n');
  await prepare?.(root);
  await writeFile(join(root, 'log'), '');
  await chmod(join(root, 'log'), 0o666);
  const [program = '', ...words] = start;
  const script = `PATH=${inside}/bin; cd ${inside}/work; ${LIMITS}; exec bash -c "$LINE"`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: `${inside}${home}`,
    LINE: line,
    LC_ALL: 'C.UTF-8',
    FUNCNEST: '20',
  };
  const options = {env, stdio: 'ignore', timeout: LIMIT_MS, killSignal: 'SIGKILL', ...asUnusedUser()} as const;
  spawnSync(program, [...words, '-c', script], options);
  const log = await readFile(join(root, 'log'), 'utf8').catch(() => '');
  const programs = log
    .split('\x1e')
    .slice(0, -1)
    .map((entry) => entry.split('\x1f').slice(0, -1));
  // What is furnished is looked after by who furnished it.
  const made = prepare ? [] : await readdir(work, {recursive: true});
  const files = made.filter((name) => name !== 'a.txt' && name !== 'sub').sort();
  return {programs, files};
}

/**
 * Starts a program with another root, its own numbers of processes, and no rights but in there; all of it ends with the
 * first process.
 */
const confine = (root: string): readonly string[] => [
  'unshare',
  '--map-root-user',
  '--pid',
  '--fork',
  '--kill-child',
  'chroot',
  root,
];

/** Root runs it as another user, because limits do not apply to root. */
function asUnusedUser(): {readonly uid?: number; readonly gid?: number} {
  return process.getuid?.() === 0 ? {uid: UNUSED_USER, gid: UNUSED_USER} : {};
}

function canChangeRoot(): boolean {
  const [program = '', ...words] = confine('/');
  return spawnSync(program, [...words, 'true'], {stdio: 'ignore', ...asUnusedUser()}).status === 0;
}

/** Where a program of the system lies; empty when it has none of that name. */
function pathOf(name: string): string {
  return spawnSync('/bin/sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).stdout.trim();
}

/** Copies a program with the libraries it needs. */
async function carry(name: string, root: string): Promise<void> {
  const from = pathOf(name);
  const needed = execFileSync('ldd', [from], {encoding: 'utf8'}).match(/\/\S+/g) ?? [];
  await copyFile(from, join(root, 'bin', name));
  for (const library of needed) {
    await mkdir(join(root, dirname(library)), {recursive: true});
    await copyFile(library, join(root, library));
  }
}
