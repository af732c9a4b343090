import {lstat, readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {DISCOVERY_FOLDER, DISCOVERY_NAME} from '../protocol.js';
import {isAlive, ownUser} from './host-process.js';
import {machineMark} from './machine-mark.js';
import {probePort} from './probe-port.js';
import {passOver} from './system-code.js';

/** A file that does not name its machine may be of a container that shares the folder. */
const UNMARKED_MS = 24 * 3_600_000;
/** Writing a draft takes far less time. */
const DRAFT_MS = 60_000;
const DRAFT_NAME = /^gemini-ide-server-\d+-\d+\.json\.[0-9a-f-]+\.tmp$/;

/**
 * Removes the files of crashed companions: those of this user whose port has no listener and whose editor has ended or
 * is `ownPid`, which just got another port. Files of other users and other machines stay. Gives the names of the
 * removed files.
 */
export async function sweepDiscovery(temporary: string, ownPid: number): Promise<readonly string[]> {
  const folder = join(temporary, ...DISCOVERY_FOLDER);
  const names = (await readdir(folder).catch((error: unknown) => passOver(error, 'ENOENT', 'ENOTDIR', 'EACCES'))) ?? [];
  const swept: string[] = [];
  for (const name of names) {
    if (!(await isLeft(join(folder, name), name, ownPid))) continue;
    await rm(join(folder, name), {force: true});
    swept.push(name);
  }
  return swept;
}

async function isLeft(path: string, name: string, ownPid: number): Promise<boolean> {
  const [, pid, port] = DISCOVERY_NAME.exec(name) ?? [];
  if (pid === undefined && !DRAFT_NAME.test(name)) return false;
  const age = await ageOfOwn(path);
  if (age === undefined) return false;
  if (pid === undefined) return age > DRAFT_MS;
  if (Number(pid) !== ownPid && isAlive(Number(pid))) return false;
  const said = await readSaid(path);
  if (await isOfAnother(said, age)) return false;
  return isRefused(Number(port ?? said.port));
}

/** The age of a file of this user in milliseconds; undefined for anything else. */
async function ageOfOwn(path: string): Promise<number | undefined> {
  const found = await lstat(path).catch((error: unknown) => passOver(error, 'ENOENT'));
  if (!found?.isFile() || (ownUser() !== undefined && found.uid !== ownUser())) return undefined;
  return Date.now() - found.mtimeMs;
}

/** Whether it belongs, or may belong, to another machine. */
async function isOfAnother({isWhole, machine}: Said, age: number): Promise<boolean> {
  return !isWhole || machine === undefined ? age < UNMARKED_MS : machine !== (await machineMark());
}

interface Said {
  readonly isWhole: boolean;
  readonly machine?: unknown;
  readonly port?: unknown;
}

async function readSaid(path: string): Promise<Said> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => passOver(error, 'ENOENT', 'EACCES'));
  try {
    return {...(JSON.parse(text ?? '') as {machine?: unknown; port?: unknown}), isWhole: true};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return {isWhole: false};
  }
}

/** Whether certainly nothing listens; false in doubt. */
async function isRefused(port: number): Promise<boolean> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return true;
  return (await probePort({port})) === 'refused';
}
