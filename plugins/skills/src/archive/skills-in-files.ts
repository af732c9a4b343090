import type {SourceFile} from '@gemini-kernel/files/sources';
import {KernelError} from '@gemini-kernel/kernel';
import {parseSkill, type SkillHead} from '../find/skill-head.js';

/** A skill among the files of a source. */
export interface SourceSkill {
  readonly head: SkillHead;
  /** Paths are relative to the skill. */
  readonly files: readonly SourceFile[];
}

const TOPS = ['', 'skills', '.gemini/skills', '.agents/skills'];

/**
 * The skills of a source: at its top, one level below, or in its folder of skills; with `path`, only there. Throws
 * KernelError SKILL_INVALID if there is none, or one is broken.
 */
export function findInFiles(files: readonly SourceFile[], source: string, path?: string): readonly SourceSkill[] {
  const given = path === undefined ? files : below(files, path.replace(/^\.?\/+|\/+$/g, ''));
  const tops = foldersOf(given);
  const all = tops.length > 0 ? given : below(given, given[0]?.path.split('/')[0] ?? '');
  const folders = tops.length > 0 ? tops : foldersOf(all);
  if (folders.length === 0)
    throw new KernelError('SKILL_INVALID', `${source} has no SKILL.md${path === undefined ? '' : ` in ${path}`}.`, {
      hint: 'It has to be at the top, one level below, or in the folder "skills". --path names another folder.',
    });
  const skills = folders.map((folder) => readOne(below(all, folder), `${source}${folder === '' ? '' : `/${folder}`}`));
  const twin = skills.find(({head}, index) => skills.findIndex((one) => isSame(one.head, head)) !== index);
  if (twin) throw new KernelError('SKILL_INVALID', `${source} has two skills with the name "${twin.head.name}".`);
  return skills;
}

function isSame(one: SkillHead, other: SkillHead): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase();
}

/** Folders with a SKILL.md where one is looked for. */
function foldersOf(files: readonly SourceFile[]): readonly string[] {
  const folders = files
    .filter(({path}) => path === 'SKILL.md' || path.endsWith('/SKILL.md'))
    .map(({path}) => path.slice(0, -'/SKILL.md'.length));
  for (const top of TOPS) {
    if (folders.includes(top)) return [top];
    const found = folders.filter((folder) => folder.split('/').slice(0, -1).join('/') === top && folder !== '');
    if (found.length > 0) return found;
  }
  return [];
}

function below(files: readonly SourceFile[], folder: string): readonly SourceFile[] {
  if (folder === '') return files;
  return files
    .filter(({path}) => path.startsWith(`${folder}/`))
    .map((file) => ({...file, path: file.path.slice(folder.length + 1)}));
}

function readOne(files: readonly SourceFile[], where: string): SourceSkill {
  const main = files.find(({path}) => path === 'SKILL.md');
  const parsed = parseSkill(Buffer.from(main?.bytes ?? []).toString('utf8'));
  if (typeof parsed !== 'string') return {head: parsed.head, files};
  throw new KernelError('SKILL_INVALID', `The SKILL.md of ${where} ${parsed}.`, {
    hint: '`gemini skills check <folder>` names everything that is wrong in a skill.',
  });
}
