import {lstatSync} from 'node:fs';
import {lstat, readdir, realpath} from 'node:fs/promises';
import {posix, win32} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import {systemCodeOf} from './system-code.js';

/** What `lstat` says about who may change a file or a folder. */
export interface FileStatus {
  readonly uid: number;
  readonly mode: number;
}

export interface AdminSystem {
  readonly platform: NodeJS.Platform;
  /** In place of the file system's own answer. */
  readonly statusOf?: (path: string) => Promise<FileStatus>;
  /** On Windows: why someone other than an administrator may have changed it, or undefined. */
  readonly findAccessFault: (path: string, subject: 'file' | 'directory') => Promise<string | undefined>;
  /** Whether the path may be that of a file: then the file and its folder are looked at. */
  readonly mayBeFile?: boolean;
}

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;
const KIND = 0o170000;
const FOLDER = 0o040000;
const FILE = 0o100000;

/** What is wrong with one path: it has to be replaced, given to root, or closed to others. */
interface Fault {
  readonly path: string;
  readonly kind: 'unreal' | 'owner' | 'mode';
  readonly what: string;
}

/**
 * The error that stops the start when the administrator's folder of rules, a `.toml` file in it or a folder above it
 * could have been changed by anybody else; undefined when nothing is wrong or there is no such folder.
 */
export async function findAdminFault(path: string, system: AdminSystem): Promise<KernelError | undefined> {
  try {
    // Most machines have none, and every start asks.
    const found = lstatSync(path, {throwIfNoEntry: false});
    if (found === undefined) return undefined;
    const {folder, files} = await listRules(path, found.isFile(), system);
    if (system.platform === 'win32') return await findWindowsFault(folder, files, system);
    const faults = await findFaults(folder, files, system.statusOf ?? lstat);
    return faults.length === 0 ? undefined : unsafe(faults, system.platform);
  } catch (error) {
    return systemCodeOf(error) === 'ENOENT' ? undefined : unreadable(path, error);
  }
}

/** The files of rules, and the folder that they are in. */
async function listRules(
  path: string,
  isFile: boolean,
  {platform, mayBeFile = false}: AdminSystem,
): Promise<{readonly folder: string; readonly files: readonly string[]}> {
  const {basename, dirname, sep} = platform === 'win32' ? win32 : posix;
  const [folder, names] = isFile && mayBeFile ? [dirname(path), [basename(path)]] : [path, await readdir(path)];
  const files = names
    .filter((name) => name.endsWith('.toml') || isFile)
    .sort()
    .map((name) => `${folder}${sep}${name}`);
  return {folder, files};
}

function unreadable(path: string, error: unknown): KernelError {
  const code = systemCodeOf(error);
  const isFolder = code !== 'ENOTDIR';
  const hint = isFolder ? `Run: sudo chmod go+rx ${quote(path)}` : 'Remove it, or put a folder in its place.';
  return new KernelError(
    'POLICY_ADMIN_BROKEN',
    `The administrator's rules in ${path} cannot be read: ${isFolder ? code : 'it is not a folder'}.`,
    {hint, cause: error},
  );
}

async function findFaults(
  folder: string,
  files: readonly string[],
  statusOf: NonNullable<AdminSystem['statusOf']>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const check = async (path: string, kind: number, harmless: number): Promise<void> => {
    const {uid, mode} = await statusOf(path);
    if ((mode & KIND) !== kind) {
      faults.push({
        path,
        kind: 'unreal',
        what: `${path} is not a ${kind === FOLDER ? 'folder' : 'file'} but a link or something else`,
      });
      return;
    }
    if (uid !== 0) faults.push({path, kind: 'owner', what: `${path} is not owned by root`});
    if (mode & OTHERS_WRITE && !(mode & harmless))
      faults.push({path, kind: 'mode', what: `${path} can be written by others than its owner`});
  };
  // In a folder like /tmp no one can replace what is root's.
  for (const above of await foldersAbove(folder)) await check(above, FOLDER, STICKY);
  await check(folder, FOLDER, 0);
  for (const file of files) await check(file, FILE, 0);
  return faults;
}

async function foldersAbove(folder: string): Promise<readonly string[]> {
  const above = [await realpath(posix.dirname(folder))];
  for (let last = above[0] ?? '/'; last !== '/'; last = posix.dirname(last)) above.unshift(posix.dirname(last));
  return above;
}

function unsafe(faults: readonly Fault[], platform: NodeJS.Platform): KernelError {
  const pathsOf = (kind: Fault['kind']): string =>
    faults
      .filter((fault) => fault.kind === kind)
      .map(({path}) => quote(path))
      .join(' ');
  const [unreal, owner, mode] = [pathsOf('unreal'), pathsOf('owner'), pathsOf('mode')];
  const commands = [
    owner && `sudo chown ${platform === 'darwin' ? 'root:wheel' : 'root:root'} ${owner}`,
    mode && `sudo chmod go-w ${mode}`,
  ]
    .filter(Boolean)
    .join(' && ');
  const hint = [unreal && `Put the real thing in place of ${unreal}.`, commands && `Run: ${commands}`]
    .filter(Boolean)
    .join(' ');
  return adminUnsafe(
    faults.map(({what}) => what),
    hint,
  );
}

async function findWindowsFault(
  folder: string,
  files: readonly string[],
  {findAccessFault}: AdminSystem,
): Promise<KernelError | undefined> {
  const faults: {readonly path: string; readonly what: string}[] = [];
  for (const [path, subject] of [[folder, 'directory'] as const, ...files.map((file) => [file, 'file'] as const)]) {
    const what = await findAccessFault(path, subject);
    if (what !== undefined) faults.push({path, what: `${path}: ${what}`});
  }
  if (faults.length === 0) return undefined;
  // By number: Administrators, SYSTEM, Users.
  const grants = '/inheritance:r /grant:r *S-1-5-32-544:F *S-1-5-18:F *S-1-5-32-545:RX';
  const commands = faults
    .map(({path}) => `icacls "${path}" /setowner *S-1-5-32-544 && icacls "${path}" ${grants}`)
    .join(' && ');
  return adminUnsafe(
    faults.map(({what}) => what),
    `Run as administrator: ${commands}`,
  );
}

function adminUnsafe(faults: readonly string[], hint: string): KernelError {
  return new KernelError(
    'POLICY_ADMIN_UNSAFE',
    `The administrator's rules could have been changed by another user: ${faults.join('; ')}.`,
    {hint, data: {faults}},
  );
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
