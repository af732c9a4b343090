import {join} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {writeAtomically} from '@gemini-kernel/files/writing';
import {KernelError} from '@gemini-kernel/kernel';

/** Where an installed skill came from, and what it was. */
export interface LockedSkill {
  readonly source: string;
  readonly type: 'folder' | 'archive' | 'git' | 'npm';
  /** The folder within the source that was asked for. */
  readonly path?: string;
  /** Of a repository. */
  readonly commit?: string;
  /** Of a package of npm: the version that was fetched. */
  readonly version?: string;
  /** `sha512-…` of an archive. */
  readonly integrity?: string;
  /** Over every path and byte of the skill. */
  readonly tree?: string;
}

/** Entries by the name of the skill. */
export type SkillsLock = Readonly<Record<string, LockedSkill>>;

const NAME = 'skills.lock.json';

/** Throws KernelError SKILL_INSTALL_FAILED when the file is not a lock. */
export async function readSkillsLock(root: string): Promise<SkillsLock> {
  const file = join(root, NAME);
  const text = await readText(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return {};
  try {
    const {skills} = JSON.parse(text) as {readonly skills?: unknown};
    if (typeof skills === 'object' && skills !== null) return skills as SkillsLock;
  } catch (error) {
    if ((error as Error).name !== 'SyntaxError') throw error;
  }
  throw new KernelError('SKILL_INSTALL_FAILED', `${file} is not a lock of skills.`, {
    hint: 'Correct it, or remove it: installed skills stay, but their sources are forgotten.',
  });
}

export async function writeSkillsLock(root: string, skills: SkillsLock): Promise<void> {
  const sorted = Object.fromEntries(Object.entries(skills).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeAtomically(join(root, NAME), `${JSON.stringify({version: 1, skills: sorted}, undefined, 2)}\n`, {
    like: {mode: 0o644},
  });
}
