import {stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../contract.js';

const ADDRESS = /^(?:https?:\/\/|ssh:\/\/|git@|git\+|sso:\/\/|file:\/\/)/;

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;

/** Where to install from: a folder, an archive, a package of npm, or what git can fetch. */
export async function parseSource(text: string, ref: string | undefined, cwd: string): Promise<ExtensionSource> {
  const source = parseAddress(text, ref) ?? (await local(resolve(cwd, text)));
  if (ref === undefined || source.type === 'git') return source;
  throw new KernelError('EXTENSION_INVALID', '--ref is for sources that git fetches.', {
    ...(source.type === 'npm' ? {hint: 'Name the version with the package: npm:<package>@<version>.'} : {}),
  });
}

/** A source that is not on this machine; undefined for a path. */
export function parseAddress(text: string, ref?: string): ExtensionSource | undefined {
  const [, host, repository] = /^(github|gitlab):([\w.-]+\/[\w./-]+)$/.exec(text) ?? [];
  if (repository !== undefined) return git(`https://${host}.com/${repository}`, ref);
  if (ADDRESS.test(text)) return git(text.replace(/^git\+/, ''), ref);
  return text.startsWith('npm:') ? {type: 'npm', location: text} : undefined;
}

async function local(location: string): Promise<ExtensionSource> {
  const found = await stat(location).catch(() => undefined);
  if (found?.isDirectory()) return {type: 'folder', location};
  if (found?.isFile() && ARCHIVE.test(location)) return {type: 'archive', location};
  const what = found ? `${location} is not a folder, and not a .zip, .tar, .tgz or .tar.gz file.` : undefined;
  throw new KernelError('EXTENSION_UNREACHABLE', what ?? `There is no folder or archive ${location}.`, {
    hint: 'Give a folder, an archive, npm:<package>, an address that git can fetch, or github:owner/repository.',
  });
}

/** A password in an address would be kept in the lock and shown in lists. */
function git(location: string, ref: string | undefined): ExtensionSource {
  if (/\/\/[^/@]*:[^/@]*@/.test(location))
    throw new KernelError('EXTENSION_INVALID', 'The address contains a password, which would be kept in the lock.', {
      hint: 'Leave it out; git asks its credential helpers (git config credential.helper).',
    });
  // What begins with a dash would be an option of git.
  if (ref?.startsWith('-')) throw new KernelError('EXTENSION_INVALID', `${JSON.stringify(ref)} is not a ref.`);
  return {type: 'git', location, ...(ref === undefined ? {} : {ref})};
}
