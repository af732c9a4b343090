import type {Disk} from './disk.js';
import {looksLikeGit} from './find-repository.js';

const INSIDE = new Set(['HEAD', 'objects', 'refs']);

/**
 * The path by which rules about `.git` know a file that is written into a folder that git would take for a repository,
 * or that makes one of it. Undefined for any other file. `written`: everything that is written together.
 */
export async function gitPathOf(
  disk: Disk,
  path: string,
  written: readonly string[] = [path],
): Promise<string | undefined> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    if (folder.endsWith('/.git') || folder.includes('/.git/')) continue;
    const inside = written
      .filter((one) => one.startsWith(`${folder}/`))
      .map((one) => one.slice(at + 1).split('/', 1)[0] ?? '');
    const made = new Set(inside.filter((name) => INSIDE.has(name)));
    if (await looksLikeGit(disk, folder, made)) return `${folder}/.git${path.slice(at)}`;
  }
  return undefined;
}
