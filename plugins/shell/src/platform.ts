import {execFile} from 'node:child_process';
import {access, constants, readdir, readFile} from 'node:fs/promises';
import {posix, win32} from 'node:path';
import {kill} from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {promisify} from 'node:util';
import type {Environment} from '@gemini-kernel/kernel';
import {encodingOfCodePage, encodingOfLocale} from './code-page.js';

// All differences between systems that matter for a command are in this module.

/** How long a command may take to end after it was asked to. */
const TERM_MS = 200;
const TERM_STEP_MS = 20;

type System = Pick<Environment, 'platform' | 'variables'>;

/** A process, with what is needed to know whose it is. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Only on Linux. */
  readonly session?: number;
  readonly isZombie: boolean;
}

/** Where a shell may be, best first: bash, then sh; on Windows PowerShell 7, then the one that is part of it. */
export function shellCandidates({platform, variables}: System): readonly string[] {
  if (platform === 'win32') {
    const folders = (variables['PATH'] ?? variables['Path'] ?? '')
      .split(';')
      .filter((folder) => win32.isAbsolute(folder));
    const builtIn = win32.join(
      variables['SystemRoot'] ?? 'C:\\Windows',
      'System32',
      'WindowsPowerShell',
      'v1.0',
      'powershell.exe',
    );
    return [...folders.map((folder) => win32.join(folder, 'pwsh.exe')), builtIn];
  }
  const folders = (variables['PATH'] ?? '').split(':').filter((folder) => posix.isAbsolute(folder));
  return ['bash', 'sh'].flatMap((name) =>
    [...new Set([...folders, '/bin', '/usr/bin'])].map((folder) => posix.join(folder, name)),
  );
}

/** The first shell that exists, or undefined. */
export async function findShell(system: System): Promise<string | undefined> {
  for (const file of shellCandidates(system)) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return undefined;
}

/**
 * How to start a shell. Both output streams of a POSIX command are one, so that their lines keep their order, and bash
 * does not take a pipe as its input for a remote login.
 */
export function shellArguments(file: string, command: string, platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') {
    const script =
      `[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false); ${command}\nif ($?) { exit 0 } elseif ` +
      '($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 }';
    return ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script];
  }
  return [...(posix.basename(file) === 'bash' ? ['--norc'] : []), '-c', `exec 2>&1; ${command}`];
}

/** How a command is separated from this program: its own session and process group, or no window. */
export function spawnOptions(platform: NodeJS.Platform): {readonly detached: boolean; readonly windowsHide: boolean} {
  return {detached: platform !== 'win32', windowsHide: true};
}

/** A path that git reads as an empty file. */
export function emptyFile(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'NUL' : '/dev/null';
}

/** The encoding of output that is not UTF-8: the code page on Windows, the encoding of the locale elsewhere. */
export async function findLegacyEncoding({platform, variables}: System): Promise<string | undefined> {
  if (platform !== 'win32')
    return encodingOfLocale(variables['LC_ALL'] || variables['LC_CTYPE'] || variables['LANG'] || '');
  return parseCodePage(await run('chcp.com', []));
}

/** The encoding in what `chcp` prints, in whatever language. */
export function parseCodePage(text: string): string | undefined {
  return encodingOfCodePage(Number(/(\d+)\D*$/.exec(text)?.[1]));
}

/** One process from `/proc/<pid>/stat`; its name may contain anything. */
export function parseStat(text: string): ProcessRow | undefined {
  const pid = Number.parseInt(text, 10);
  const [state, parent, group, session] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (!Number.isInteger(pid) || session === undefined) return undefined;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    isZombie: state === 'Z' || state === 'X',
  };
}

/** The processes in what `ps -Ao pid=,ppid=,pgid=,stat=` prints. */
export function parsePs(text: string): readonly ProcessRow[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/gm)].map(([, pid, parent, group, state = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    isZombie: state.startsWith('Z'),
  }));
}

async function listProcesses(platform: NodeJS.Platform): Promise<readonly ProcessRow[]> {
  if (platform === 'win32') return [];
  if (platform !== 'linux') return parsePs(await run('ps', ['-Ao', 'pid=,ppid=,pgid=,stat=']));
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end between the two looks.
  const rows = await Promise.all(
    names.map((name) => readFile(`/proc/${name}/stat`, 'utf8').then(parseStat, () => undefined)),
  );
  return rows.filter((row) => row !== undefined);
}

/** The living processes of a command: those in its group or session, and their descendants in any group. */
export function familyOf(leader: number, rows: readonly ProcessRow[]): readonly number[] {
  const family = new Set([leader]);
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const {pid, parent, group, session} of rows)
      if (group === leader || session === leader || family.has(parent)) family.add(pid);
  }
  const living = new Set(rows.filter(({isZombie}) => !isZombie).map(({pid}) => pid));
  return [...family].filter((pid) => living.has(pid));
}

/** The living processes of the command led by `leader`; empty where the system cannot tell. */
export async function findFamily(leader: number, platform: NodeJS.Platform): Promise<readonly number[]> {
  return familyOf(leader, await listProcesses(platform));
}

/** Whether a process group has any members. */
export function hasGroup(leader: number, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' && send(-leader, 0);
}

/** Ends the group, session and descendants of a process: asks first, and kills after 200 ms. Windows only kills. */
export async function endFamily(leader: number, platform: NodeJS.Platform): Promise<void> {
  if (platform === 'win32') {
    await run('taskkill', ['/pid', String(leader), '/T', '/F']);
    return;
  }
  // List them first: a process that the first signal orphans can no longer be found.
  const others = (await findFamily(leader, platform)).filter((pid) => pid !== leader);
  const signal = (name: NodeJS.Signals | 0): boolean =>
    [-leader, ...others].map((pid) => send(pid, name)).includes(true);
  signal('SIGTERM');
  for (let waited = 0; waited < TERM_MS && signal(0); waited += TERM_STEP_MS) await setTimeout(TERM_STEP_MS);
  signal('SIGKILL');
}

/** Whether there was a process to signal. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return kill(pid, signal);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ESRCH') return false;
    // The process exists, but belongs to another user.
    if (code === 'EPERM') return true;
    throw error;
  }
}

/** The output of a system program; empty when the program is missing or fails. */
async function run(file: string, words: readonly string[]): Promise<string> {
  return promisify(execFile)(file, words, {windowsHide: true}).then(
    ({stdout}) => stdout,
    () => '',
  );
}
