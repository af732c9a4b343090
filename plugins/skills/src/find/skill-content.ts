import {createHash} from 'node:crypto';
import {readText} from '@gemini-kernel/files';
import {ToolError} from '@gemini-kernel/kernel';
import type {Skill, SkillContent} from '../contract.js';
import {drawTree} from './draw-tree.js';
import {LARGEST_SKILL, reasonOf} from './read-skill.js';
import {parseSkill} from './skill-head.js';

/** Reads what a model gets of a skill. Throws ToolError SKILL_UNREADABLE. */
export async function readContent(skill: Skill): Promise<SkillContent> {
  const {file, folder, name} = skill;
  const unreadable = (reason: string, cause?: unknown): ToolError =>
    new ToolError('SKILL_UNREADABLE', `The file ${file} of the skill "${name}" ${reason}.`, {
      cause,
      hint: '`gemini skills list` shows which skills can be used.',
    });
  const text = await readText(file, {limit: LARGEST_SKILL}).catch((error: unknown) => {
    throw unreadable(reasonOf(error), error);
  });
  const parsed = parseSkill(text);
  if (typeof parsed === 'string') throw unreadable(parsed);
  const digest = createHash('sha256').update(text).digest('hex');
  return {skill, body: parsed.body, digest, tree: await drawTree(folder)};
}
