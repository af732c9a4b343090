import {readdir, readFile, readlink, realpath} from 'node:fs/promises';
import {join, sep} from 'node:path';
import type {Manifest} from './manifest.js';
import {KERNEL_VERSION, satisfies} from './version.js';

/** One plugin in a lock that the product owns. */
export interface LockEntry {
  readonly version: string;
  /** `sha256-` and the digest of the whole tree, as `hashTree` gives it. */
  readonly tree: string;
}

export interface AdmissionRules {
  /** Names that only the distribution's own plugins may have, as exact names or `@scope/`. */
  readonly reserved: readonly string[];
  /** What may load at all. Without a lock, installed plugins may. */
  readonly lock?: Readonly<Record<string, LockEntry>>;
}

/** Why an installed plugin may not load, as a sentence, or undefined when it may. Decided before any of its code is read. */
export async function findRefusal(root: string, manifest: Manifest, rules: AdmissionRules): Promise<string | undefined> {
  const {name, version, kernel} = manifest;
  if (rules.reserved.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one))) {
    return `the name ${name} belongs to this distribution`;
  }
  if (!satisfies(KERNEL_VERSION, kernel)) return `it needs kernel ${kernel}, this is ${KERNEL_VERSION}`;
  if (!rules.lock) return undefined;
  const locked = rules.lock[name];
  if (!locked) return 'it is not in the lock';
  if (locked.version !== version) return `the lock says version ${locked.version}, found ${version}`;
  return (await hashTree(root)) === locked.tree ? undefined : 'its files are not those the lock was made for';
}

/** One digest over every path, link target and byte below `root`, in a fixed order. Throws when a link leads out, or something is no file. */
export async function hashTree(root: string): Promise<string> {
  // Loading it takes a tenth of a short command's time, and most starts hash nothing.
  const {createHash} = await import('node:crypto');
  const hash = createHash('sha256');
  const top = await realpath(root);
  const visit = async (folder: string, prefix: string): Promise<void> => {
    const entries = await readdir(folder, {withFileTypes: true});
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) await visit(path, `${name}/`);
      else {
        if (entry.isSymbolicLink() ? !(await realpath(path)).startsWith(`${top}${sep}`) : !entry.isFile()) throw new Error(`its ${name} is no file of its own`);
        const content = entry.isSymbolicLink() ? Buffer.from(await readlink(path)) : await readFile(path);
        hash.update(`${entry.isSymbolicLink() ? 'link' : 'file'} ${Buffer.byteLength(name)} ${name} ${content.length}\n`).update(content);
      }
    }
  };
  await visit(root, '');
  return `sha256-${hash.digest('base64')}`;
}
