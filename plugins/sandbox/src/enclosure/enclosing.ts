import {accessSync, constants, realpathSync} from 'node:fs';
import {isAbsolute, join} from 'node:path';
import type {Choice} from '../choose-sandbox.js';
import {isWithin} from '../linux/is-within.js';

/** What can run the whole program, as settings name it. */
export type EnclosingName = 'docker' | 'podman' | 'runsc' | 'lxc' | 'sandbox-exec';

/** What runs the whole program. */
export interface Enclosing {
  readonly name: EnclosingName;
  /** The program that does it, with its path. */
  readonly file: string;
}

/** Why it cannot, and what to do. */
export interface EnclosingFault {
  readonly sentence: string;
  readonly hint: string;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A folder of which no program is taken: a project could have put it there. */
  readonly cwd: string;
}

/** Marks that the engines leave in a container. */
const MARKS = ['/.dockerenv', '/run/.containerenv', '/dev/lxd/sock', '/dev/incus/sock'];
const INSTALL =
  'Install it, or use GEMINI_SANDBOX=true for the sandbox of this system. `gemini sandbox status` shows what there is.';

const WINDOWS = 'it would lower the integrity of the files of the workspace for good.';
const OTHER = 'Use docker, podman, or GEMINI_SANDBOX=true.';
const SYSTEMS: Readonly<Partial<Record<EnclosingName, NodeJS.Platform>>> = {
  'sandbox-exec': 'darwin',
  runsc: 'linux',
  lxc: 'linux',
};

/** Whether a choice is about the whole program, and not about each program that it starts. */
export function isWhole(name: Choice['name'], platform: NodeJS.Platform): boolean {
  return name === 'auto' ? platform !== 'linux' : name !== 'off' && name !== 'bwrap';
}

/**
 * Whether this program runs in such a sandbox already, as the variable SANDBOX says. A person may set it; a sandbox
 * that an administrator asks for needs the mark of a container. sandbox-exec leaves no mark: there the variable counts,
 * where the administrator asks for no other sandbox.
 */
export function isInside(
  {name, isManaged}: Choice,
  {platform, variables}: Pick<Machine, 'platform' | 'variables'>,
  isThere = canRead,
): boolean {
  const given = variables['SANDBOX'] ?? '';
  if (given === '' || !isManaged) return given !== '';
  const isSeatbelt = platform === 'darwin' && given === 'sandbox-exec' && (name === 'auto' || name === 'sandbox-exec');
  return isSeatbelt || MARKS.some(isThere);
}

/** Finds what runs the whole program, or says why nothing can. */
export function findEnclosing(name: Choice['name'], machine: Machine): Enclosing | EnclosingFault {
  const {platform} = machine;
  if (name === 'auto') return findFirst(platform === 'darwin' ? ['sandbox-exec'] : ['docker', 'podman'], machine);
  if (!isEnclosing(name)) return {sentence: `gemini does not run in ${name}: ${WINDOWS}`, hint: OTHER};
  const system = SYSTEMS[name];
  if (system !== undefined && system !== platform)
    return {sentence: `${name} works on ${system === 'darwin' ? 'macOS' : 'Linux'} only.`, hint: OTHER};
  const needed = name === 'runsc' ? ['runsc', 'docker'] : [name];
  const files = needed.map((one) => findProgram(one, machine));
  const missing = needed[files.indexOf(undefined)];
  const file = files.at(-1);
  if (missing === undefined && file !== undefined) return {name, file};
  return {sentence: `The program ${missing ?? name} is not in PATH.`, hint: INSTALL};
}

function isEnclosing(name: string): name is EnclosingName {
  return ['docker', 'podman', 'runsc', 'lxc', 'sandbox-exec'].includes(name);
}

function findFirst(names: readonly EnclosingName[], machine: Machine): Enclosing | EnclosingFault {
  for (const name of names) {
    const file = findProgram(name, machine);
    if (file !== undefined) return {name, file};
  }
  return {sentence: `Neither of these programs is in PATH: ${names.join(', ')}.`, hint: 'Install one of them.'};
}

function findProgram(name: string, {platform, variables, cwd}: Machine): string | undefined {
  const folders = (variables['PATH'] ?? '').split(platform === 'win32' ? ';' : ':').filter((path) => isAbsolute(path));
  return folders
    .map((folder) => join(folder, platform === 'win32' ? `${name}.exe` : name))
    .find((file) => canRun(file) && !isWithin(realpathSync(file), cwd));
}

function canRun(file: string): boolean {
  return hasAccess(file, constants.X_OK);
}

function canRead(file: string): boolean {
  return hasAccess(file, constants.F_OK);
}

function hasAccess(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return false;
  }
}
