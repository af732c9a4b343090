import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {isAbsent, readText} from '@gemini-kernel/files';
import type {InboxPlaces} from '../inbox/read-inbox.js';
import type {Known} from './extraction-request.js';

const MOST_BYTES = 512 * 1024;
const MOST_MEMORY = 8000;
const MOST_SKILLS = 100;

/** What need not be proposed: skills, and what is remembered. What cannot be read is not known. */
export async function findKnown({memory, home, cwd}: InboxPlaces): Promise<Omit<Known, 'waiting'>> {
  const folders = [join(cwd, '.gemini/skills'), join(home, '.gemini/skills')];
  const skills = (await Promise.all(folders.map(listSkills))).flat().slice(0, MOST_SKILLS);
  const files = await Promise.all([join(memory, 'MEMORY.md'), join(home, '.gemini/GEMINI.md')].map(readOrNone));
  return {skills, memory: files.map((text) => text.slice(-MOST_MEMORY / 2)).join('\n')};
}

async function listSkills(folder: string): Promise<readonly string[]> {
  const names = isAbsent(folder) ? [] : await readdir(folder);
  const lines = names.sort().map(async (name) => {
    const [, description = ''] =
      /^description:\s*(.{0,200})/m.exec(await readOrNone(join(folder, name, 'SKILL.md'))) ?? [];
    return description === '' ? [] : [`${name}: ${description}`];
  });
  return (await Promise.all(lines)).flat();
}

async function readOrNone(file: string): Promise<string> {
  return readText(file, {limit: MOST_BYTES}).catch(() => '');
}
