import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
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
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../contract.js';
import {copyTree} from './copy-tree.js';

export interface Obtaining {
  readonly source: ExtensionSource;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
  readonly signal: AbortSignal;
}

/** Limits of an archive, which is unpacked in memory. */
const MOST_FILES = 20_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Copies a source to `work`/tree, so that what is checked is what is used. Returns the source with what pins it. Runs
 * nothing of it. Throws KernelError EXTENSION_INVALID or EXTENSION_UNREACHABLE.
 */
export async function obtainSource({source, environment, signal}: Obtaining, work: string): Promise<ExtensionSource> {
  const folder = join(work, 'tree');
  if (source.type === 'git' || source.type === 'npm') {
    const fetched = join(work, 'fetched');
    await mkdir(fetched, {mode: 0o700});
    const place: ProgramPlace = {...environment, folder: fetched, signal, missing};
    return source.type === 'git' ? fromGit(source, place, folder) : fromNpm(source, place, folder);
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

async function fromNpm(source: ExtensionSource, place: ProgramPlace, folder: string): Promise<ExtensionSource> {
  const failed = (reason: string): KernelError =>
    new KernelError('EXTENSION_UNREACHABLE', `Cannot fetch ${source.location}: ${reason}.`, {
      hint: 'Try `npm view` with the same name.',
    });
  const name = source.location.slice('npm:'.length);
  // What was asked for, or the version that the lock pins.
  const spec = source.ref === undefined ? name : `${name.replace(/(?<=.)@.*$/, '')}@${source.ref}`;
  const {bytes, version} = await fetchNpm({place, spec, limit: MOST_BYTES, failed});
  return {...(await unpack(source, bytes, folder)), version};
}

async function unpack(source: ExtensionSource, bytes: Buffer, folder: string): Promise<ExtensionSource> {
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
