import {dirname} from 'node:path';
import type {Skill, SkillFault} from '../contract.js';
import {builtInSkills, isBuiltInName} from '../built-in.js';
import type {NotedHeads} from './noted-heads.js';
import type {ReadSkill, SkillReader} from './read-skill.js';
import {findSkillFiles} from './skill-files.js';
import {isWithin, type SkillRoot} from './skill-roots.js';

/** More skills are left out. */
export const MOST_SKILLS = 500;
/** Fewer are read faster than the file that remembers heads. */
const MANY = 8;

interface Found {
  readonly root: SkillRoot;
  readonly file: string;
}

interface Search {
  readonly roots: readonly SkillRoot[];
  /** A skill whose folder holds this is left out: it would open all that is in it. */
  readonly home: string;
  /** Imports what reads skills; called only where there are any. */
  reader(): Promise<SkillReader>;
  /** Imports what remembers heads; called only where there are many. */
  noted(): Promise<NotedHeads>;
}

/** The skills in the folders and the built-in ones. Of several with the same name the last one counts. */
export async function findSkills({roots, home, reader, noted: open}: Search): Promise<{
  readonly skills: readonly Omit<Skill, 'enabled'>[];
  readonly faults: readonly SkillFault[];
}> {
  const listed = roots.map((root) => ({root, ...findSkillFiles(root.path)}));
  const faults = listed.flatMap((one) => one.faults).map((one): SkillFault => ({...one, kind: 'broken'}));
  const all = listed.flatMap(({root, files}) => files.map((file): Found => ({root, file})));
  const skills = new Map<string, Omit<Skill, 'enabled'>>(builtInSkills().map((skill) => [skill.name, skill]));
  if (all.length === 0) return {skills: [...skills.values()], faults};
  const used = all.slice(0, MOST_SKILLS);
  for (const found of all.slice(MOST_SKILLS))
    if (found.root.isManaged) used.push(found);
    else faults.push({file: found.file, kind: 'broken', reason: `is one of more than ${MOST_SKILLS} skills`});
  const skillReader = await reader();
  // Skills of projects would make the file grow with each of them.
  const noted = used.filter(isNoted).length > MANY ? await open() : undefined;
  const heads = await Promise.all(
    used.map((found) => skillReader.read(found.file, isNoted(found) && noted ? {noted} : {})),
  );
  await noted?.keep();
  for (const [index, found] of used.entries()) {
    const read = heads[index] ?? {reason: 'was not read'};
    const reason = findFault(read, found, home);
    if (reason !== undefined || read.folder === undefined) {
      faults.push({file: found.file, kind: 'broken', reason: reason ?? 'was not read'});
      continue;
    }
    add(skills, {
      ...read.head,
      origin: found.root.origin,
      ...(found.root.owner === undefined ? {} : {owner: found.root.owner}),
      folder: read.folder,
      file: found.file,
    });
  }
  return {skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), faults};
}

function isNoted({root}: Found): boolean {
  return root.origin !== 'project';
}

function findFault(read: ReadSkill, {root}: Found, home: string): string | undefined {
  if (read.folder === undefined) return read.reason;
  const {folder, head} = read;
  // Rules let built-in skills pass by their name.
  if (root.origin !== 'user' && isBuiltInName(head.name))
    return `has the name ${head.name} of a built-in skill, which only a skill of yours can replace`;
  if (root.within !== undefined && !isWithin(folder, root.within)) return `leads out of the project, to ${folder}`;
  if (isWithin(home, folder) || dirname(folder) === folder) return `is in ${folder}, which holds more than a skill`;
  return undefined;
}

/** Names that differ only in case are the same name. */
function add(skills: Map<string, Omit<Skill, 'enabled'>>, skill: Omit<Skill, 'enabled'>): void {
  const key = skill.name.toLowerCase();
  const weaker = skills.get(key);
  const replaces = weaker && weaker.folder !== skill.folder ? [...(weaker.replaces ?? []), weaker.file] : [];
  skills.set(key, {...skill, ...(replaces.length > 0 ? {replaces} : {})});
}
