import {createHash} from 'node:crypto';
import {join} from 'node:path';
import {KernelError, type Environment} from '@gemini-kernel/kernel';
import {readFolder} from '../archive/read-folder.js';
import {findInFiles, type SourceSkill} from '../archive/skills-in-files.js';
import {fetchSource} from './fetch-source.js';
import {exists, putSkill, storeOf, withStore, type Scope} from './skill-store.js';
import type {LockedSkill} from './skills-lock.js';

/** A skill before it is installed. */
export interface CandidateSkill {
  readonly skill: SourceSkill;
  readonly folder: string;
  /** Whether a skill of this name is there already. */
  readonly replaces: boolean;
  readonly entry: LockedSkill;
}

export interface InstalledSkill {
  readonly name: string;
  readonly folder: string;
  readonly replaced: boolean;
  readonly files: number;
  readonly tree: string;
  readonly commit?: string;
}

interface Wish {
  readonly source: string;
  readonly path?: string;
  /** The only skill to install, and only if it is not there as it is in the source. */
  readonly only?: string;
  readonly scope: Scope;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  /** Throws when the person does not agree. */
  agree(candidates: readonly CandidateSkill[]): Promise<void>;
}

/** Gets every skill of a source, shows what comes, and puts it in place. Writes nothing before `agree` resolves. */
export async function installSkills(wish: Wish): Promise<readonly InstalledSkill[]> {
  const {source, path, only, scope, environment} = wish;
  const root = storeOf(scope, environment);
  const {files, entry} = await fetchSource(source, wish);
  const found = findInFiles(files, source, path);
  const skills = only === undefined ? found : await findChanged(root, found, only);
  if (skills.length === 0) return [];
  const locked = path === undefined ? entry : {...entry, path};
  const candidates = await Promise.all(
    skills.map(async (skill): Promise<CandidateSkill> => {
      const folder = join(root, skill.head.name);
      return {skill, folder, replaces: await exists(folder), entry: locked};
    }),
  );
  await wish.agree(candidates);
  return withStore(root, async () => {
    const installed: InstalledSkill[] = [];
    for (const {skill, folder, replaces} of candidates) {
      const tree = await putSkill(root, skill, locked);
      const commit = locked.commit === undefined ? {} : {commit: locked.commit};
      installed.push({name: skill.head.name, folder, replaced: replaces, files: skill.files.length, tree, ...commit});
    }
    return installed;
  });
}

/** A skill of a source, unless its files are in their place already. Throws KernelError SKILL_UNKNOWN. */
async function findChanged(
  root: string,
  skills: readonly SourceSkill[],
  name: string,
): Promise<readonly SourceSkill[]> {
  const skill = skills.find(({head}) => head.name === name);
  if (!skill) throw new KernelError('SKILL_UNKNOWN', `The source of the skill "${name}" no longer has it.`);
  const folder = join(root, name);
  const there = (await exists(folder)) ? await readFolder(folder) : [];
  const marksOf = (files: SourceSkill['files']): string =>
    JSON.stringify(files.map(({path, bytes}) => [path, digestOf(bytes)]).sort());
  return marksOf(there) === marksOf(skill.files) ? [] : [skill];
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
