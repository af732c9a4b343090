import {stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../contract.js';

const ADDRESS = /^(?:https?:\/\/|ssh:\/\/|git@|git\+|sso:\/\/|file:\/\/)/;

/** Where to install from: a folder, or what git can fetch. */
export async function parseSource(text: string, ref: string | undefined, cwd: string): Promise<ExtensionSource> {
  const [, host, repository] = /^(github|gitlab):([\w.-]+\/[\w./-]+)$/.exec(text) ?? [];
  if (repository !== undefined) return git(`https://${host}.com/${repository}`, ref);
  if (ADDRESS.test(text)) return git(text.replace(/^git\+/, ''), ref);
  const folder = resolve(cwd, text);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new KernelError('EXTENSION_UNREACHABLE', `There is no folder ${folder}.`, {
      hint: 'Give a folder, an address that git can fetch, or github:owner/repository.',
    });
  if (ref !== undefined)
    throw new KernelError('EXTENSION_INVALID', '--ref is for sources that git fetches, not for a folder.');
  return {type: 'folder', location: folder};
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
