import {createRequire} from 'node:module';
import {isAbsolute, resolve} from 'node:path';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {normaliseLocation} from '@gemini-kernel/admission';

/** A parsed install argument. */
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

/** The fields of npm-package-arg's result that are read here. */
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
 * Parses what npm would: a name with a range or a tag, an archive, a folder, an address, a repository. Paths are
 * relative to `cwd`. Throws KernelError INSTALL_SPEC_INVALID.
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
  if (read.type === 'alias' || !read.name)
    throw invalid(text, 'a plugin cannot be installed under another name than its own');
  return {type: 'registry', name: read.name, wanted: versionIn(read, spec), isExact: read.type === 'version'};
}

/** The requested version or tag; npm reads a name alone as any version, and means the latest. */
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
  if (read.gitSubdir) throw invalid(text, 'a plugin must be at the top level of its repository');
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

/** Rules about sources are checked against addresses: an address that they cannot parse is not fetched. */
function readable(location: string, text: string): string {
  if (normaliseLocation(location)) return location;
  throw invalid(text, 'its address is ambiguous');
}

/** Others read the lock, and the user name in such an address is often a token. */
function withoutSecret(location: string, text: string): string {
  if (!/^https?:\/\/[^/]*@/i.test(location)) return location;
  throw invalid(
    text.replace(/\/\/[^/]*@/, '//…@'),
    'its address contains a user or a password, which would be written to the lock; configure it in npm ' +
      'or git instead',
  );
}

function invalid(text: string, reason: string, cause?: unknown): KernelError {
  return new KernelError('INSTALL_SPEC_INVALID', `Cannot install ${JSON.stringify(text)}: ${reason}.`, {
    cause,
    hint:
      'Use a name (name, name@1.2.3, name@^1), an archive (./plugin.tgz, https://...), a folder (./plugin) ' +
      'or a repository (git+ssh://..., github:owner/name).',
  });
}
