import {copyFile, lstat, mkdir, readdir, readlink, realpath, symlink} from 'node:fs/promises';
import {join, sep} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';

/** Limits of one extension. */
const MOST_FILES = 20_000;
const MOST_BYTES = 500 * 1024 * 1024;
/** What belongs to the place, and not to the extension. */
const LEFT: ReadonlySet<string> = new Set(['.git', '.env', '.gemini-extension-install.json']);

/** Copies the files of an extension. Throws KernelError EXTENSION_INVALID for what cannot be part of one. */
export async function copyTree(from: string, to: string): Promise<void> {
  const root = await realpath(from);
  const count = {files: 0, bytes: 0};
  const copy = async (folder: string, target: string, isTop: boolean): Promise<void> => {
    await mkdir(target, {mode: 0o700});
    for (const name of await readdir(folder)) {
      if (isTop && LEFT.has(name)) continue;
      const [path, copied] = [join(folder, name), join(target, name)];
      const stats = await lstat(path);
      if (stats.isDirectory()) await copy(path, copied, false);
      else if (stats.isSymbolicLink()) await copyLink(root, path, copied);
      else if (stats.isFile()) {
        count.files += 1;
        count.bytes += stats.size;
        if (count.files > MOST_FILES || count.bytes > MOST_BYTES)
          throw invalid(from, `it has more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MiB`);
        await copyFile(path, copied);
      } else throw invalid(from, `${path} is not a regular file`);
    }
  };
  await copy(root, to, true);
}

/** A link stays a link where it leads to something inside. */
async function copyLink(root: string, path: string, copied: string): Promise<void> {
  const [target, text] = await Promise.all([realpath(path).catch(() => ''), readlink(path)]);
  if (!target.startsWith(`${root}${sep}`) || text.startsWith(sep))
    throw invalid(root, `${path} is a link that leads out of it`);
  await symlink(text, copied);
}

function invalid(folder: string, clause: string): KernelError {
  return new KernelError('EXTENSION_INVALID', `The extension in ${folder} cannot be installed: ${clause}.`);
}
