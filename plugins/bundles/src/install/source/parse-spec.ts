import {createRequire} from 'node:module';
import {isAbsolute, resolve} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {normaliseLocation} from '@gemini-kernel/admission';

/** What somebody asked to install, read. */
export type WantedPlugin =
  | {readonly type: 'registry'; readonly name: string; readonly wanted: string; readonly isExact: boolean}
  | {readonly type: 'tarball'; readonly location: string; readonly name?: string}
  | {readonly type: 'folder'; readonly location: string; readonly name?: string}
  | {
      readonly type: 'git';
      readonly location: string;
      readonly wanted?: string;
      readonly range?: string;
      readonly name?: string;
    };

/** The part of what npm-package-arg gives that is read here. */
interface PackageArg {
  readonly type: 'tag' | 'version' | 'range' | 'git' | 'file' | 'directory' | 'remote' | 'alias';
  readonly name?: string;
  readonly rawSpec: string;
  readonly fetchSpec: string | null;
  readonly saveSpec?: string;
  readonly gitCommittish?: string | null;
  readonly gitRange?: string;
  readonly gitSubdir?: string;
  readonly hosted?: {
    sshurl(options: object): string;
    https(options: object): string | undefined;
    getDefaultRepresentation(): string;
  };
}

type ReadPackageArg = (spec: string, where: string) => PackageArg;

/**
 * Reads what npm would: a name with a range or a tag, an archive, a folder, an address, a repository. Paths count from
 * `cwd`. Throws KernelError INSTALL_SPEC_INVALID.
 */
export function parseSpec(text: string, cwd: string): WantedPlugin {
  const written = text.trim();
  // npm would look for a repository `dist` of the owner `out`.
  const spec = /^[^:@]+\/[^:]*\.(tgz|tar\.gz|tar)$/i.test(written) ? `file:${resolve(cwd, written)}` : written;
  const read = readPackageArg(spec, cwd, text);
  const named = read.name ? {name: read.name} : {};
  if (read.type === 'file' || read.type === 'directory') return localSource(read, named, text);
  if (read.type === 'remote')
    return {type: 'tarball', location: readable(withoutSecret(read.fetchSpec ?? spec, text), text), ...named};
  if (read.type === 'git') return gitSource(read, named, text);
  if (read.type === 'alias' || !read.name) throw invalid(text, 'a plugin cannot have another name than its own');
  return {type: 'registry', name: read.name, wanted: versionIn(read, spec), isExact: read.type === 'version'};
}

/** What is asked for of a package; npm reads a name alone as any version, and means the latest. */
function versionIn({rawSpec}: PackageArg, spec: string): string {
  return rawSpec === '' || (rawSpec === '*' && !spec.endsWith('*')) ? 'latest' : rawSpec;
}

function readPackageArg(spec: string, cwd: string, text: string): PackageArg {
  const npa = createRequire(import.meta.url)('npm-package-arg') as ReadPackageArg;
  try {
    return npa(spec, cwd);
  } catch (cause) {
    throw invalid(text, messageOf(cause), cause);
  }
}

function localSource({type, fetchSpec}: PackageArg, named: {readonly name?: string}, text: string): WantedPlugin {
  if (!fetchSpec || !isAbsolute(fetchSpec)) throw invalid(text, 'its path cannot be read');
  return {type: type === 'file' ? 'tarball' : 'folder', location: fetchSpec, ...named};
}

function gitSource(read: PackageArg, named: {readonly name?: string}, text: string): WantedPlugin {
  if (read.gitSubdir) throw invalid(text, 'a plugin has to be at the top of its repository');
  const kind = read.hosted?.getDefaultRepresentation();
  const hosted =
    read.hosted &&
    (kind === 'sshurl' ? read.hosted.sshurl({noCommittish: true}) : read.hosted.https({noCommittish: true}));
  const location = (hosted ?? read.fetchSpec ?? '').replace(/^git\+/, '');
  if (location === '' || location.startsWith('-') || location.endsWith('://'))
    throw invalid(text, 'its address cannot be read');
  const {gitCommittish, gitRange} = read;
  return {
    type: 'git',
    location: readable(withoutSecret(location, text), text),
    ...(gitRange ? {range: gitRange} : gitCommittish ? {wanted: gitCommittish} : {}),
    ...named,
  };
}

/** Rules about sources are held against addresses: what they cannot read is not fetched. */
function readable(location: string, text: string): string {
  if (normaliseLocation(location)) return location;
  throw invalid(text, 'its address cannot be read for certain');
}

/** The lock is read by others, and a user of such an address is mostly a token. */
function withoutSecret(location: string, text: string): string {
  if (!/^https?:\/\/[^/]*@/i.test(location)) return location;
  throw invalid(
    text.replace(/\/\/[^/]*@/, '//…@'),
    'its address holds a user or a password, which would stand in the lock; npm and git have places of their own ' +
      'for those',
  );
}

function invalid(text: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('INSTALL_SPEC_INVALID', `Cannot install ${JSON.stringify(text)}: ${reason}.`, {
    cause,
    hint:
      'Give a name (name, name@1.2.3, name@^1), an archive (./plugin.tgz, https://...), a folder (./plugin) or a ' +
      'repository (git+ssh://..., github:owner/name).',
  });
}
