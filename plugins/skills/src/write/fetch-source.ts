import {mkdtemp, rm, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import {
  fetchGit,
  fetchNpm,
  readArchive,
  type ProgramName,
  type ProgramPlace,
  type SourceFile,
} from '@gemini-kernel/files/sources';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {readFolder} from '../archive/read-folder.js';
import {MOST_BYTES, skillLimits} from '../archive/skill-limits.js';
import type {LockedSkill} from './skills-lock.js';

/** The files of a source, and what the lock keeps of it. */
export interface Fetched {
  readonly files: readonly SourceFile[];
  readonly entry: LockedSkill;
}

interface Request {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'platform' | 'temporary' | 'variables'>;
  readonly signal: AbortSignal;
}

/** What a person typed, as one of the kinds of source. */
export function typeOfSource(given: string): LockedSkill['type'] {
  if (given.startsWith('npm:')) return 'npm';
  if (/^(git\+|https?:|ssh:|git:|file:)|^[\w.-]+@[\w.-]+:|\.git(#.*)?$/.test(given)) return 'git';
  return /\.(skill|zip|tar|tgz|tar\.gz)$/i.test(given) ? 'archive' : 'folder';
}

/** Reads the files of a source. Runs nothing of it. Throws KernelError SKILL_INVALID and SKILL_INSTALL_FAILED. */
export async function fetchSource(given: string, request: Request): Promise<Fetched> {
  const type = typeOfSource(given);
  if (type === 'git') return fromGit(given, request);
  if (type === 'npm') return fromNpm(given, request);
  const {cwd, home} = request.environment;
  const source = resolve(cwd, given.replace(/^~(?=$|[\\/])/, home));
  const found = await stat(source).catch((cause: unknown) => {
    const hint = 'Pass a folder, an archive, the address of a repository, or npm:<package>.';
    throw new KernelError('SKILL_INVALID', `There is no ${source}.`, {cause, hint});
  });
  if (found.isDirectory()) return {files: await readFolder(source), entry: {source, type: 'folder'}};
  return fromArchive(source);
}

async function fromArchive(source: string): Promise<Fetched> {
  const bytes = await readRegular(source, {limit: MOST_BYTES}).catch((error: unknown) => {
    if (isFileFault(error)) throw new KernelError('SKILL_INVALID', `Cannot read ${source}: ${error.reason}.`);
    throw error;
  });
  const {files, integrity} = readArchive(bytes, skillLimits(source));
  return {files, entry: {source, type: 'archive', integrity}};
}

/** One commit of a repository, without its hooks, links and submodules. */
async function fromGit(given: string, request: Request): Promise<Fetched> {
  const [location = '', ref = 'HEAD'] = given.replace(/^git\+/, '').split('#');
  if (location.startsWith('-') || ref.startsWith('-'))
    throw new KernelError('SKILL_INVALID', `${given} is not the address of a repository.`);
  return inTemporary(request, async (place) => {
    const failed = (reason: string): KernelError =>
      new KernelError('SKILL_INSTALL_FAILED', `Cannot get ${given}: ${reason}.`, {
        hint: 'Try `git ls-remote` with the same address. Installed skills are unchanged.',
      });
    const commit = await fetchGit({place, location, ref, failed});
    return {files: await readFolder(place.folder), entry: {source: given, type: 'git', commit}};
  });
}

/** A package as npm packs it; no script of it runs. */
async function fromNpm(given: string, request: Request): Promise<Fetched> {
  return inTemporary(request, async (place) => {
    const failed = (reason: string): KernelError =>
      new KernelError('SKILL_INSTALL_FAILED', `Cannot get ${given}: ${reason}.`, {
        hint: 'Try `npm view` with the same name. Installed skills are unchanged.',
      });
    const {bytes, version} = await fetchNpm({place, spec: given.slice('npm:'.length), limit: MOST_BYTES, failed});
    const {files, integrity} = readArchive(bytes, skillLimits(given));
    return {files, entry: {source: given, type: 'npm', version, integrity}};
  });
}

async function inTemporary(
  {environment: {temporary, platform, variables}, signal}: Request,
  act: (place: ProgramPlace) => Promise<Fetched>,
): Promise<Fetched> {
  const folder = await mkdtemp(join(temporary, 'gemini-skill-')).catch((cause: unknown) => {
    throw new KernelError('SKILL_INSTALL_FAILED', `Cannot write in ${temporary}: ${messageOf(cause)}.`, {cause});
  });
  try {
    return await act({folder, platform, variables, signal, missing});
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function missing(name: ProgramName): KernelError {
  return new KernelError('SKILL_INSTALL_FAILED', `Cannot run ${name}: it is in no folder of PATH.`, {
    hint: `Install ${name}, or install the skill from a folder or an archive.`,
  });
}
