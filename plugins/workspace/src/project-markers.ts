import {existsSync} from 'node:fs';
import {cp, readdir, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {createPrivateFile, makePrivateFolder, readTextSync} from '@gemini-kernel/files';
import {passOver, slugOf} from './project-registry.js';
import {systemCode} from './real-path.js';

const MARKER = '.project_root';
const LONGEST_PATH = 2 ** 16;
/** How many projects of one name are plausible; more means that the markers cannot be read. */
const MOST_ALIKE = 1000;

/** Whose folder this is by its marker: a path, undefined without a marker, null when it cannot be determined. */
export function ownerOf(folder: string): string | undefined | null {
  try {
    return readTextSync(join(folder, MARKER), LONGEST_PATH).trim();
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? undefined : null;
  }
}

/** Whether no marker in the places assigns the short name to another project. */
export function isOurs(places: readonly string[], slug: string, root: string): boolean {
  return places.every((place) => [root, undefined].includes(ownerOf(join(place, slug)) as string | undefined));
}

/** The short name of a project's existing folders that the registry does not know. */
export async function findMarked(places: readonly string[], root: string): Promise<string | undefined> {
  for (const place of places) {
    for (const name of await namesIn(place)) {
      if (ownerOf(join(place, name)) === root && isOurs(places, name, root)) return name;
    }
  }
  return undefined;
}

/** A missing or unreadable place contains nothing of ours. */
async function namesIn(place: string): Promise<readonly string[]> {
  try {
    return await readdir(place);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

/**
 * Takes the first free short name: from then on its marker files are ours, even against concurrent processes.
 * Undefined when no name is free.
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

/** Writes the missing markers; false when one belongs to another project. */
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

/** Copies what an older release kept under the hash of the path. Existing files stay; the old folder stays too. */
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
