import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Skill} from './contract.js';

const heads = [
  {
    name: 'skill-creator',
    description:
      'Guide for writing, testing and packaging Agent Skills. Use it when the user wants to create a skill, improve ' +
      'or check one, or asks why a skill is not activated.',
  },
] as const;

/** The skills of the product. Their heads are repeated here, so that nothing is read or parsed to list them. */
export function builtInSkills(): readonly Skill[] {
  return heads.map((head) => {
    const folder = fileURLToPath(new URL(`../skills/${head.name}`, import.meta.url));
    return {...head, origin: 'built-in', folder, file: join(folder, 'SKILL.md'), enabled: true};
  });
}

/** Whether a name is that of a skill of the product. */
export function isBuiltInName(name: string): boolean {
  return heads.some((head) => head.name === name.toLowerCase());
}

/** Whether a file is that of a skill of the product. */
export function isBuiltIn(file: string): boolean {
  return builtInSkills().some((skill) => skill.file === file);
}
