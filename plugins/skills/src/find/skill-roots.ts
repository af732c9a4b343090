import {lstat, realpath} from 'node:fs/promises';
import {join, sep} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {SkillFault, SkillFolder, SkillOrigin} from '../contract.js';

/** A folder in which skills are looked for. */
export interface SkillRoot {
  readonly path: string;
  readonly origin: SkillOrigin;
  readonly owner?: string;
  readonly isManaged?: true;
  /** Skills outside of this folder do not count: a link of a project leads nowhere else. */
  readonly within?: string;
}

/** Folders of a person and of a project, below their `home` and `cwd`. */
export const SKILL_FOLDERS = ['.gemini/skills', '.agents/skills'] as const;

interface Place {
  readonly environment: Pick<Environment, 'home' | 'cwd'>;
  /** Folders of extensions and bundles. */
  readonly folders: readonly SkillFolder[];
  readonly isTrusted: boolean;
}

/** The folders in which skills are looked for, the weakest first, and those of a project that is not trusted. */
export async function listRoots({
  environment: {home, cwd},
  folders,
  isTrusted,
}: Place): Promise<{readonly roots: readonly SkillRoot[]; readonly faults: readonly SkillFault[]}> {
  const of = (top: string): readonly string[] => SKILL_FOLDERS.map((folder) => join(top, folder));
  const user = of(home).map((path): SkillRoot => ({path, origin: 'user'}));
  const toRoot = ({path, owner, origin = 'extension'}: SkillFolder): SkillRoot => ({path, owner, origin});
  const others = folders.filter(({isManaged}) => !isManaged).map(toRoot);
  const managed = folders
    .filter(({isManaged}) => isManaged)
    .map((one): SkillRoot => ({...toRoot(one), isManaged: true}));
  // Started in the home directory, the folders of the project are those of the person.
  const [top, own] = await Promise.all([cwd, home].map((path) => realpath(path).catch(() => path)));
  const project = top === own ? [] : of(cwd);
  if (isTrusted)
    return {
      roots: [
        ...others,
        ...user,
        ...project.map((path): SkillRoot => ({path, origin: 'project', within: top ?? cwd})),
        ...managed,
      ],
      faults: [],
    };
  const there = await Promise.all(
    project.map((path) =>
      lstat(path).then(
        () => [path],
        () => [],
      ),
    ),
  );
  const reason = 'is not used, because the folder is not trusted; trust it with `gemini trust add`';
  return {
    roots: [...others, ...user, ...managed],
    faults: there.flat().map((file) => ({file, reason, kind: 'untrusted'})),
  };
}

/** Whether a real path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
