import {basename, dirname} from 'node:path';
import {readdir} from 'node:fs/promises';
import {findSkillFiles} from '../find/skill-files.js';
import {SkillReader} from '../find/read-skill.js';

/** The folder of a skill directly in `root`: by the name in its head, else by its own name. */
export async function findInstalled(root: string, name: string): Promise<string | undefined> {
  const wanted = name.trim().toLowerCase();
  const {files} = findSkillFiles(root);
  const reader = new SkillReader();
  for (const file of files.filter((one) => dirname(one) !== root)) {
    const read = await reader.read(file);
    if (read.folder !== undefined && read.head.name.toLowerCase() === wanted) return basename(dirname(file));
  }
  const names = await readdir(root).catch((error: NodeJS.ErrnoException): readonly string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.find((one) => one.toLowerCase() === wanted && !one.startsWith('.') && !one.endsWith('.json'));
}
