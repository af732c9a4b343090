import {existsSync} from 'node:fs';
import {cp, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {createPrivateFile, makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import {passOver, slugOf} from './project-registry.js';
import {systemCode} from './real-path.js';

const MARKER = '.project_root';
const LONGEST_PATH = 2 ** 16;
/** As many projects of one name are believed in; more means that the markers cannot be read. */
const MOST_ALIKE = 1000;

/** Whose folder this is by its marker: a path, undefined without a marker, null when that cannot be told. */
export function ownerOf(folder: string): string | undefined | null {
  try {
    return readTextSync(join(folder, MARKER), LONGEST_PATH).trim();
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : null;
  }
}

/** Whether no marker in the places gives the short name to somebody else. */
export function isOurs(places: readonly string[], slug: string, root: string): boolean {
  return places.every((place) => [root, undefined].includes(ownerOf(join(place, slug)) as string | undefined));
}

/** The short name under which a project's folders already stand, though the registry does not know it. */
export async function findMarked(places: readonly string[], root: string): Promise<string | undefined> {
  for (const place of places) {
    for (const name of await namesIn(place)) {
      if (ownerOf(join(place, name)) === root && isOurs(places, name, root)) return name;
    }
  }
  return undefined;
}

/** A place that is missing, or that cannot be read, holds nothing of ours. */
async function namesIn(place: string): Promise<readonly string[]> {
  try {
    return await readdir(place);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

/**
 * Takes the first free short name: its marker files are ours from then on, whoever else is at it. Undefined when there
 * is none.
 */
export async function claimSlug(
  places: readonly string[],
  root: string,
  taken: ReadonlySet<string>,
): Promise<string | undefined> {
  const base = slugOf(root);
  for (const place of places) await makePrivateFolder(place);
  for (let count = 0; count < MOST_ALIKE; count += 1) {
    const slug = count === 0 ? base : `${base}-${count}`;
    if (!taken.has(slug) && isOurs(places, slug, root) && (await mark(places, slug, root))) return slug;
  }
  return undefined;
}

/** Puts the markers that are missing; false when one is somebody else's. */
export async function mark(places: readonly string[], slug: string, root: string): Promise<boolean> {
  for (const place of places) {
    const folder = join(place, slug);
    await makePrivateFolder(folder);
    const owner = ownerOf(folder);
    if (owner === root) continue;
    if (owner !== undefined) return false;
    try {
      await createPrivateFile(join(folder, MARKER), root);
    } catch (error) {
      passOver(error, 'EEXIST');
      if (ownerOf(folder) !== root) return false;
    }
  }
  return true;
}

/**
 * Copies what an older release kept under the hash of the path. What is there already stays; the old folder stays too.
 */
export async function adoptOlder(place: string, hash: string, slug: string): Promise<void> {
  const [older, folder] = [join(place, hash), join(place, slug)];
  if (!existsSync(older)) return;
  for (const name of await readdir(older)) {
    const [target, partial] = [join(folder, name), join(folder, `${name}.adopting`)];
    if (existsSync(target)) continue;
    await rm(partial, {recursive: true, force: true});
    await cp(join(older, name), partial, {recursive: true, preserveTimestamps: true});
    await rename(partial, target);
  }
}
