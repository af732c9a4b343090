import fs from 'node:fs';
import {resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Watching} from '../../wire/watched.js';
import type {Noted} from './noted.js';
import {isRefusal, replace} from './replace.js';

type Access = 'read' | 'write';

const READING = ['access', 'lstat', 'opendir', 'readFile', 'readdir', 'readlink', 'realpath', 'stat', 'statfs'];
const WRITING = [
  ...['appendFile', 'chmod', 'chown', 'lchown', 'lutimes', 'mkdir', 'mkdtemp', 'rm', 'rmdir', 'truncate', 'unlink'],
  ...['utimes', 'writeFile'],
];
/** From one path to another. */
const BOTH = ['copyFile', 'cp', 'link', 'rename', 'symlink'];

/** Notes which paths are read and written, by the capability that covers them; paths that are refused, as they are. */
export function watchFiles({own, paths}: Watching, noted: Noted): void {
  const note = (access: Access, path: string, error: unknown): void => {
    if (own.some((one) => isBelow(one, path))) return;
    const grant = paths.find((one) => one.path !== '' && isBelow(one.path, path) && covers(one.access, access));
    if (isRefusal(error)) noted.add(`fs:${access}:${path}`, 'refused');
    else if (grant) noted.add(grant.by, 'used');
  };
  const watch = (name: string, accesses: (given: readonly unknown[]) => readonly Access[]): void => {
    const ended = (given: readonly unknown[], error: unknown): void => {
      for (const [index, access] of accesses(given).entries()) {
        const path = pathOf(given[index]);
        if (path !== undefined) note(access, path, error);
      }
    };
    for (const [module, real] of [
      [fs, name],
      [fs, `${name}Sync`],
      [fs.promises, name],
    ] as const)
      replace(module, real, {ended});
  };
  for (const name of READING) watch(name, () => ['read']);
  for (const name of WRITING) watch(name, () => ['write']);
  for (const name of BOTH) watch(name, () => [name === 'rename' ? 'write' : 'read', 'write']);
  watch('open', ([, flags]) => [isWriting(flags) ? 'write' : 'read']);
}

function covers(granted: Access, access: Access): boolean {
  return granted === access || granted === 'write';
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** Undefined for a descriptor, and for what is no path. */
function pathOf(given: unknown): string | undefined {
  if (typeof given === 'string') return resolve(given);
  if (Buffer.isBuffer(given)) return resolve(given.toString());
  try {
    return given instanceof URL ? fileURLToPath(given) : undefined;
  } catch {
    // Node refuses it.
    return undefined;
  }
}

function isWriting(flags: unknown): boolean {
  const {O_WRONLY, O_RDWR, O_CREAT} = fs.constants;
  if (typeof flags === 'number') return (flags & (O_WRONLY | O_RDWR | O_CREAT)) !== 0;
  return typeof flags === 'string' && /[wa+]/.test(flags);
}
