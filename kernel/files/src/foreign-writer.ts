import {lstatSync, readlinkSync, type Stats} from 'node:fs';
import {homedir} from 'node:os';
import {dirname, parse, resolve} from 'node:path';
import process from 'node:process';
import {findOtherMembers} from './group-members.js';

/** Someone else than this user and root who may change what a path leads to. */
export interface ForeignWriter {
  /** The file, or the folder above it, whose rights allow it. */
  readonly path: string;
  /** Why, as a sentence that begins with "it": "it can be written by everyone". */
  readonly reason: string;
  /** The command that ends it. */
  readonly repair: string;
}

export interface WriterOptions {
  /** Folders above this one are the system's; the home folder of this user unless given. */
  readonly home?: string;
  /** As whom to judge; the user of this process unless given. */
  readonly user?: number;
}

const GROUP_WRITES = 0o020;
const ALL_WRITE = 0o002;
const STICKY = 0o1000;
/** As deep as Linux follows links. */
const MOST_LINKS = 40;

/**
 * Why someone else than this user and root may change what is at a path: by the owner and the mode of the file, of
 * each folder above it up to home or the root, and of each link on the way. Undefined when no one can, when nothing is
 * there, and when it cannot be reached.
 *
 * Lists of rights beside the mode count as far as the mode shows them. On Windows nothing is found: what is below a
 * profile has the rights of the profile, and reading them takes a program as slow as a start.
 */
export function findForeignWriter(path: string, options: WriterOptions = {}): ForeignWriter | undefined {
  const {home = homedir(), user = process.geteuid?.()} = options;
  if (user === undefined) return undefined;
  const judge = {user, home: resolve(home), links: 0};
  return findAt(resolve(path), judge);
}

interface Judge {
  readonly user: number;
  readonly home: string;
  links: number;
}

function findAt(path: string, judge: Judge): ForeignWriter | undefined {
  const found = lookAt(path);
  if (!found) return undefined;
  const above = findAbove(path, found, judge);
  if (above) return above;
  if (!found.isSymbolicLink()) return findFault(path, found, judge);
  judge.links += 1;
  return judge.links > MOST_LINKS ? undefined : findAt(resolve(dirname(path), readlinkSync(path)), judge);
}

/** What cannot be reached cannot be read either, so nothing that stands there counts. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, {throwIfNoEntry: false});
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return undefined;
  }
}

/** The folder above decides whether the name can be given to something else. */
function findAbove(path: string, found: Stats, judge: Judge): ForeignWriter | undefined {
  const folder = dirname(path);
  if (folder === path || path === judge.home) return undefined;
  const parent = lstatSync(folder);
  // A link as a folder: what it leads to, and who may replace the link.
  if (parent.isSymbolicLink()) return findAt(folder, judge);
  const isKept = (parent.mode & STICKY) !== 0 && isTrusted(found.uid, judge) && isTrusted(parent.uid, judge);
  const fault = isKept ? undefined : findFault(folder, parent, judge);
  return fault ?? (parse(folder).root === folder ? undefined : findAbove(folder, parent, judge));
}

function findFault(path: string, {uid, gid, mode}: Stats, judge: Judge): ForeignWriter | undefined {
  if (!isTrusted(uid, judge)) {
    return {path, reason: `it is owned by another user (${uid})`, repair: `chown ${judge.user} ${quote(path)}`};
  }
  if (mode & ALL_WRITE) return {path, reason: 'it can be written by everyone', repair: `chmod o-w ${quote(path)}`};
  const others = mode & GROUP_WRITES ? findOtherMembers(gid, judge.user) : undefined;
  if (!others) return undefined;
  return {path, reason: `it can be written by its group (${others})`, repair: `chmod g-w ${quote(path)}`};
}

function isTrusted(uid: number, {user}: Judge): boolean {
  return uid === user || uid === 0;
}

function quote(path: string): string {
  return /^[\w./~@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
