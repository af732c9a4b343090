import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {arch} from 'node:process';
import {readRegular} from '@gemini-kernel/files';
import {
  fetchGit,
  fetchNpm,
  hideCredentials,
  readArchive,
  SourceLimits,
  type ProgramName,
  type ProgramPlace,
  type SourceFile,
} from '@gemini-kernel/files/sources';
import {isKernelError, KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import type {Builds} from '@gemini-kernel/plugin-bundles/contract';
import type {ExtensionSource} from '../contract.js';
import {copyTree} from './copy-tree.js';
import {fetchRelease, repositoryOf, type ReleaseMeans} from './fetch-release.js';

export interface Obtaining {
  readonly source: ExtensionSource;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly signal: AbortSignal;
  /** How releases of GitHub are fetched; without it, repositories are. */
  readonly releases?: Releases;
  /** Proves where packages of npm were built; without it, nothing is known of that. */
  readonly builds?: Pick<Builds, 'prove'>;
  tell?(sentence: string): void;
}

export interface Releases extends ReleaseMeans {
  /** Whether a repository is asked for releases before git fetches it. */
  readonly isFirst: boolean;
  tell(sentence: string): void;
}

/** Limits of an archive, which is unpacked in memory. */
const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Copies a source to `work`/tree, so that what is checked is what is used. Returns the source with what pins it. Runs
 * nothing of it. Throws KernelError EXTENSION_INVALID or EXTENSION_UNREACHABLE.
 */
export async function obtainSource(obtaining: Obtaining, work: string): Promise<ExtensionSource> {
  const {source, environment, signal} = obtaining;
  const folder = join(work, 'tree');
  const released = await fromRelease(obtaining, folder);
  if (released) return released;
  if (source.type === 'git' || source.type === 'npm') {
    const fetched = join(work, 'fetched');
    await mkdir(fetched, {mode: 0o700});
    const place: ProgramPlace = {...environment, folder: fetched, signal, missing};
    return source.type === 'git' ? fromGit(source, place, folder) : fromNpm(obtaining, place, folder);
  }
  if (source.type === 'archive') {
    const bytes = await readRegular(source.location, {limit: MOST_BYTES}).catch((error: unknown) => {
      throw new KernelError('EXTENSION_UNREACHABLE', `Cannot read ${source.location}: ${messageOf(error)}.`);
    });
    return unpack(source, bytes, folder);
  }
  await copyTree(source.location, folder);
  return source;
}

/** A release of GitHub, if the source is one, or if its repository has one; undefined to fetch the repository. */
async function fromRelease(obtaining: Obtaining, folder: string): Promise<ExtensionSource | undefined> {
  const {source, releases} = obtaining;
  const repository = repositoryOf(source.location);
  if (source.type === 'github-release') return theRelease(obtaining, repository, folder);
  if (source.type !== 'git' || repository === undefined || !releases?.isFirst) return undefined;
  try {
    return await aRelease(obtaining, {repository, releases}, folder);
  } catch (error) {
    if (!isKernelError(error) || error.code !== 'EXTENSION_UNREACHABLE') throw error;
    // Git says whether the repository is there.
    releases.tell(`${error.message} The repository is fetched instead.`);
    return undefined;
  }
}

/** A source that is a release is never another thing. */
async function theRelease(
  obtaining: Obtaining,
  repository: string | undefined,
  folder: string,
): Promise<ExtensionSource> {
  const {source, releases} = obtaining;
  const found =
    repository !== undefined && releases ? await aRelease(obtaining, {repository, releases}, folder) : undefined;
  if (found) return found;
  throw noRelease(source.location, releases ? 'it has no such release' : 'there is no network here');
}

async function aRelease(
  {source, environment, signal}: Obtaining,
  {repository, releases}: {readonly repository: string; readonly releases: Releases},
  folder: string,
): Promise<ExtensionSource | undefined> {
  const {location, ref: tag, preRelease = false} = source;
  const {platform} = environment;
  const found = await fetchRelease({
    ...releases,
    ...{repository, tag, preRelease, platform, arch, limit: MOST_BYTES, signal},
    failed: (reason) => noRelease(location, reason),
  });
  if (!found) return undefined;
  const {asset: _, ...asked} = source;
  const asset = found.asset === undefined ? {} : {asset: found.asset};
  return unpack({...asked, type: 'github-release', tag: found.tag, ...asset}, found.bytes, folder);
}

function noRelease(location: string, reason: string): KernelError {
  return new KernelError('EXTENSION_UNREACHABLE', `Cannot fetch a release of ${location}: ${reason}.`, {
    hint: 'See its releases in a browser, or try again later.',
  });
}

async function fromGit(source: ExtensionSource, place: ProgramPlace, folder: string): Promise<ExtensionSource> {
  const {location, ref = 'HEAD'} = source;
  const failed = (reason: string): KernelError =>
    new KernelError('EXTENSION_UNREACHABLE', `Cannot fetch ${hideCredentials(location)}: ${reason}.`, {
      hint: 'Try `git ls-remote` with the same address.',
    });
  // A link that stays inside may be part of an extension; copyTree refuses the others.
  const options = place.platform === 'win32' ? [] : ['-c', 'core.symlinks=true'];
  const commit = await fetchGit({place, location, ref, options, failed});
  await copyTree(place.folder, folder);
  return {...source, commit};
}

async function fromNpm(
  {source, builds, tell}: Obtaining,
  place: ProgramPlace,
  folder: string,
): Promise<ExtensionSource> {
  const failed = (reason: string): KernelError =>
    new KernelError('EXTENSION_UNREACHABLE', `Cannot fetch ${source.location}: ${reason}.`, {
      hint: 'Try `npm view` with the same name.',
    });
  const asked = source.location.slice('npm:'.length);
  const name = asked.replace(/(?<=.)@.*$/, '');
  // What was asked for, or the version that the lock pins.
  const spec = source.ref === undefined ? asked : `${name}@${source.ref}`;
  const {bytes, version} = await fetchNpm({place, spec, limit: MOST_BYTES, failed});
  const {built: _, ...unpacked} = await unpack(source, bytes, folder);
  const {provenance, unproven} = (await builds?.prove({name, version, integrity: unpacked.integrity})) ?? {};
  if (unproven !== undefined) tell?.(`Nothing proves where ${name} ${version} was built: ${unproven}.`);
  return {...unpacked, version, ...(provenance ? {built: provenance} : {})};
}

async function unpack(
  source: ExtensionSource,
  bytes: Buffer,
  folder: string,
): Promise<ExtensionSource & {readonly integrity: string}> {
  const limits = new SourceLimits({
    source: source.location,
    files: MOST_FILES,
    bytes: MOST_BYTES,
    refused: (sentence) => new KernelError('EXTENSION_INVALID', sentence, {hint: 'Nothing was installed.'}),
  });
  const {files, integrity} = readArchive(bytes, limits);
  const unpacked = `${folder}-unpacked`;
  for (const {path, bytes: content, isExecutable} of withoutTop(files)) {
    const file = join(unpacked, ...path.split('/'));
    await mkdir(dirname(file), {recursive: true, mode: 0o700});
    await writeFile(file, content, {flag: 'wx', mode: isExecutable ? 0o700 : 0o600});
  }
  await mkdir(unpacked, {recursive: true, mode: 0o700});
  // By the rules that hold for every source: what belongs to a place is left out.
  await copyTree(unpacked, folder);
  return {...source, integrity};
}

/** Most archives hold one folder with everything in it. */
function withoutTop(files: readonly SourceFile[]): readonly SourceFile[] {
  const tops = new Set(files.map(({path}) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || top === '') return files;
  return files.map((file) => ({...file, path: file.path.slice(top.length)}));
}

function missing(name: ProgramName): KernelError {
  return new KernelError('EXTENSION_UNREACHABLE', `${name} is not installed, or not on PATH.`, {
    hint: `Install ${name}, or install from a folder or an archive.`,
  });
}
