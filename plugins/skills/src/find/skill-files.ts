import {readdirSync, type Dirent} from 'node:fs';
import {basename, join} from 'node:path';

export const SKILL_FILE = 'SKILL.md';
/** Beginning of the name that a skill has while another one takes its place. */
export const REPLACED = '.replaced-';
/** More names in one folder are not looked at. */
const MOST_NAMES = 2000;

interface Fault {
  readonly file: string;
  readonly reason: string;
}

/** The `SKILL.md` files of one folder of skills, and what only looks like one. */
export interface SkillFiles {
  readonly files: readonly string[];
  readonly faults: readonly Fault[];
}

/** Looks in a folder and one level below. A folder that does not exist has nothing. */
export function findSkillFiles(root: string): SkillFiles {
  const entries = list(root);
  if (typeof entries === 'string') return {files: [], faults: [{file: root, reason: entries}]};
  const isSkill = entries.some(({name}) => name === SKILL_FILE);
  const names = new Set(entries.map(({name}) => name));
  const below = entries
    .filter((entry) => isLookedAt(entry, names))
    .map((entry) => lookInto(join(root, entry.name), entry, isSkill));
  const archives = isSkill ? [] : entries.filter((entry) => entry.isFile() && entry.name.endsWith('.skill'));
  return {
    files: [...(isSkill ? [join(root, SKILL_FILE)] : []), ...below.flatMap(({files}) => files)],
    faults: [
      ...below.flatMap(({faults}) => faults),
      ...archives.map(({name}) => ({
        file: join(root, name),
        reason: 'is an archive; unpack it with `gemini skills install`',
      })),
    ],
  };
}

function isLookedAt(entry: Dirent, names: ReadonlySet<string>): boolean {
  const {name} = entry;
  if (!entry.isDirectory() && !entry.isSymbolicLink()) return false;
  if (name.startsWith(REPLACED)) return !names.has(name.slice(REPLACED.length));
  return !name.startsWith('.') && name !== 'node_modules';
}

function lookInto(folder: string, entry: Dirent, isInSkill: boolean): SkillFiles {
  const found = list(folder, entry.isSymbolicLink());
  if (typeof found === 'string') return {files: [], faults: [{file: folder, reason: found}]};
  if (found.some(({name}) => name === SKILL_FILE)) return {files: [join(folder, SKILL_FILE)], faults: []};
  // The folders of a skill itself are its resources.
  if (isInSkill || found.length === 0) return {files: [], faults: []};
  const twin = found.find(({name}) => name.toLowerCase() === SKILL_FILE.toLowerCase());
  if (twin) return fault(join(folder, twin.name), `has to be named ${SKILL_FILE}, in this case`);
  for (const {name} of found.filter((one) => one.isDirectory()).slice(0, 50)) {
    const deeper = list(join(folder, name));
    if (typeof deeper !== 'string' && deeper.some((one) => one.name === SKILL_FILE))
      return fault(join(folder, name, SKILL_FILE), `is one level too deep; move the folder ${name} one level up`);
  }
  return fault(folder, `has no ${SKILL_FILE}`);
}

function fault(file: string, reason: string): SkillFiles {
  return {files: [], faults: [{file, reason}]};
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be entered',
  EPERM: 'may not be entered',
  ELOOP: 'is a link in a loop',
};

/**
 * The sorted entries, listed by the thread that asks: a start waits for it. Nothing for what is missing or a file; a
 * reason for what cannot be listed.
 */
function list(folder: string, isLink = false): readonly Dirent[] | string {
  try {
    const entries = readdirSync(folder, {withFileTypes: true});
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, MOST_NAMES);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'ENOENT' && isLink) return 'is a link that leads nowhere';
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    return REASONS[code] ?? `cannot be listed (${code}: ${basename(folder)})`;
  }
}
