import {readdir} from 'node:fs/promises';
import {join, relative} from 'node:path';

const MOST_FILES = 200;

/** What is wrong with a proposed skill, as a sentence. */
export async function findSkillFault(folder: string, name: string, text: string): Promise<string | undefined> {
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name)) return `The name ${JSON.stringify(name)} is not that of a skill.`;
  const [, head = ''] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? [];
  for (const key of ['name', 'description'])
    if (!new RegExp(`^${key}:\\s*\\S`, 'm').test(head)) return `Its SKILL.md has no ${key}.`;
  const files = await readdir(folder, {recursive: true, withFileTypes: true});
  if (files.length > MOST_FILES) return `It has more than ${MOST_FILES} files.`;
  const odd = files.find((one) => !one.isFile() && !one.isDirectory());
  return odd && `${relative(folder, join(odd.parentPath, odd.name))} is a link or no file.`;
}
