import {constants} from 'node:fs';
import {access, lstat, realpath, stat} from 'node:fs/promises';
import {delimiter, dirname, isAbsolute, join, sep} from 'node:path';

/** Where programs are looked for. */
export interface ProgramPath {
  /** Directories of PATH that are absolute, and outside of the project and of any node_modules. */
  readonly directories: readonly string[];
  /** Whether a real path is outside of the project. */
  isOutside(path: string): boolean;
}

/** `file` is what is started: some programs act by the name that they are called by. */
export type FoundProgram = {readonly file: string; readonly real: string} | {readonly fault: string} | undefined;

/** Reads PATH for a project: the repository around a directory, or else the directory. */
export async function readProgramPath(cwd: string, path: string): Promise<ProgramPath> {
  const project = await repositoryAround(await realpath(cwd));
  const isOutside = (one: string): boolean => one !== project && !one.startsWith(withSeparator(project));
  const directories: string[] = [];
  for (const one of path.split(delimiter)) {
    if (!isAbsolute(one)) continue;
    const real = await realpath(one).catch(() => undefined);
    // npm puts the node_modules of whatever it runs for into PATH.
    const isPackages = [one, real ?? ''].some((name) => name.split(sep).includes('node_modules'));
    if (real !== undefined && isOutside(real) && isOutside(one) && !isPackages) directories.push(real);
  }
  return {directories: [...new Set(directories)], isOutside};
}

/** A program by its name, or by an absolute path: where it is, or why it is not taken. */
export async function findProgram(
  name: string,
  {directories, isOutside}: ProgramPath,
  platform: NodeJS.Platform,
): Promise<FoundProgram> {
  const places = isAbsolute(name) ? [name] : isPlain(name) ? directories.map((one) => join(one, name)) : [];
  for (const place of places) {
    const file = platform === 'win32' && !name.endsWith('.exe') ? `${place}.exe` : place;
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined || !(await isProgram(real))) continue;
    const folder = await realpath(dirname(file));
    return isOutside(real) && isOutside(folder) ? {file, real} : {fault: `${place} is a file of the project`};
  }
  return undefined;
}

function isPlain(name: string): boolean {
  return /^[\w.+-]+$/.test(name) && !/^\.+$/.test(name);
}

async function isProgram(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function repositoryAround(directory: string): Promise<string> {
  for (let at = directory; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => undefined)) return at;
    if (at === dirname(at)) return directory;
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}
