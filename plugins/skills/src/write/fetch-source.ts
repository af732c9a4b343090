import {createHash} from 'node:crypto';
import {mkdtemp, rm, stat} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {isFileFault, readRegular} from '@gemini-kernel/files';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {readFolder} from '../archive/read-folder.js';
import {readTar} from '../archive/read-tar.js';
import {readZip} from '../archive/read-zip.js';
import {MOST_BYTES, type SourceFile} from '../archive/source-file.js';
import {runProgram} from './run-program.js';
import type {LockedSkill} from './skills-lock.js';

/** The files of a source, and what the lock keeps of it. */
export interface Fetched {
  readonly files: readonly SourceFile[];
  readonly entry: LockedSkill;
}

interface Request {
  readonly environment: Pick<Environment, 'cwd' | 'home' | 'temporary' | 'variables'>;
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
  if (type === 'git') return fetchGit(given, request);
  if (type === 'npm') return fetchNpm(given, request);
  const {cwd, home} = request.environment;
  const source = resolve(cwd, given.replace(/^~(?=$|[\\/])/, home));
  const found = await stat(source).catch((cause: unknown) => {
    const hint = 'Pass a folder, an archive, the address of a repository, or npm:<package>.';
    throw new KernelError('SKILL_INVALID', `There is no ${source}.`, {cause, hint});
  });
  if (found.isDirectory()) return {files: await readFolder(source), entry: {source, type: 'folder'}};
  return readArchive(source, {source, type: 'archive'});
}

async function readArchive(file: string, entry: LockedSkill): Promise<Fetched> {
  const bytes = await readRegular(file, {limit: MOST_BYTES}).catch((error: unknown) => {
    if (isFileFault(error)) throw new KernelError('SKILL_INVALID', `Cannot read ${file}: ${error.reason}.`);
    throw error;
  });
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  return {files: isZip ? readZip(bytes, entry.source) : readTar(bytes, entry.source), entry: {...entry, integrity}};
}

/** One commit of a repository, without its hooks, links and submodules. */
async function fetchGit(given: string, request: Request): Promise<Fetched> {
  const [address = '', ref = 'HEAD'] = given.replace(/^git\+/, '').split('#');
  if (address.startsWith('-') || ref.startsWith('-'))
    throw new KernelError('SKILL_INVALID', `${given} is not the address of a repository.`);
  return inTemporary(request, async (folder) => {
    const git = async (...args: readonly string[]): Promise<string> => {
      const {code, stdout, stderr} = await runProgram('git', [...SAFE, ...args], {...request, folder});
      if (code === 0) return stdout.trim();
      throw new KernelError('SKILL_INSTALL_FAILED', `Cannot get ${given}: ${firstLine(stderr)}.`, {
        hint: 'Try `git ls-remote` with the same address. Installed skills are unchanged.',
      });
    };
    await git('init', '--quiet');
    await git('fetch', '--quiet', '--depth', '1', '--no-tags', '--', address, ref);
    const commit = await git('rev-parse', 'FETCH_HEAD^{commit}');
    await git('-c', 'advice.detachedHead=false', 'checkout', '--quiet', commit);
    return {files: await readFolder(folder), entry: {source: given, type: 'git', commit}};
  });
}

const SAFE = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.symlinks=false'],
  ...['-c', 'protocol.ext.allow=never', '-c', 'submodule.recurse=false'],
];

/** A package as npm packs it; no script of it runs. */
async function fetchNpm(given: string, request: Request): Promise<Fetched> {
  const spec = given.slice('npm:'.length);
  if (!/^[@\w]/.test(spec)) throw new KernelError('SKILL_INVALID', `${given} does not name an npm package.`);
  return inTemporary(request, async (folder) => {
    const args = ['pack', spec, '--ignore-scripts', '--json', '--loglevel=error', `--pack-destination=${folder}`];
    const {code, stdout, stderr} = await runProgram('npm', args, {...request, folder});
    const [, name] = /"filename":\s*"([^"/\\]+\.tgz)"/.exec(stdout) ?? [];
    if (code !== 0 || name === undefined)
      throw new KernelError('SKILL_INSTALL_FAILED', `Cannot get ${given}: ${firstLine(stderr)}.`, {
        hint: 'Try `npm view` with the same name. Installed skills are unchanged.',
      });
    return readArchive(join(folder, name), {source: given, type: 'npm'});
  });
}

async function inTemporary(
  {environment: {temporary}}: Request,
  act: (folder: string) => Promise<Fetched>,
): Promise<Fetched> {
  const folder = await mkdtemp(join(temporary, 'gemini-skill-')).catch((cause: unknown) => {
    throw new KernelError('SKILL_INSTALL_FAILED', `Cannot write in ${temporary}: ${messageOf(cause)}.`, {cause});
  });
  try {
    return await act(folder);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
}

function firstLine(text: string): string {
  const [line = 'it gave no reason'] = text.split('\n').filter((one) => one.trim() !== '');
  return line
    .replace(/^(fatal|error|npm error):?\s*/i, '')
    .replaceAll(/\/\/[^/@\s]*@/g, '//')
    .replace(/\.$/, '');
}
