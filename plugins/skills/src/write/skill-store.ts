import {mkdir, readdir, rename, rm, symlink, writeFile, lstat} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {hashTree} from '@gemini-kernel/admission';
import {makePrivateFolder} from '@gemini-kernel/files';
import {isHeld, takeLock, writeHint} from '@gemini-kernel/files/writing';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import type {SourceSkill} from '../archive/skills-in-files.js';
import {REPLACED} from '../find/skill-files.js';
import {readSkillsLock, writeSkillsLock, type LockedSkill} from './skills-lock.js';

/** Whose skills: those of the person, or those of the project. */
export type Scope = 'user' | 'workspace';

const STAGING = '.staging-';

/** The folder that installed skills of a scope are in. */
export function storeOf(scope: Scope, {home, cwd}: Pick<Environment, 'home' | 'cwd'>): string {
  return join(scope === 'user' ? home : cwd, '.gemini', 'skills');
}

/**
 * Does something to the installed skills while no other process does. What a process that was stopped left behind is
 * put right first. Throws KernelError SKILL_INSTALL_FAILED.
 */
export async function withStore<T>(root: string, act: () => Promise<T>): Promise<T> {
  try {
    await makePrivateFolder(root);
    const lock = await takeLock(join(root, '.lock'), {patienceMs: 10_000});
    if (!isHeld(lock)) throw new KernelError('SKILL_INSTALL_FAILED', `Another process is changing ${root}.`);
    try {
      await tidy(root);
      return await act();
    } finally {
      await lock.release();
    }
  } catch (error) {
    const {code, syscall} = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new KernelError('SKILL_INSTALL_FAILED', `Cannot write in ${root}: ${messageOf(error)}.`, {
      cause: error,
      hint: writeHint(error, 'Check who may write there. Installed skills are unchanged.'),
    });
  }
}

/** Puts a skill in its place, whole or not at all. Another one of its name stays until the new one is complete. */
export async function putSkill(root: string, {head, files}: SourceSkill, entry: LockedSkill): Promise<string> {
  const staged = join(root, `${STAGING}${head.name}`);
  for (const {path, bytes, isExecutable} of files) {
    const file = join(staged, ...path.split('/'));
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, bytes, {flag: 'wx', mode: isExecutable ? 0o755 : 0o644});
  }
  const tree = hashTree(staged);
  await exchange(root, head.name, (target) => rename(staged, target));
  await writeSkillsLock(root, {...(await readSkillsLock(root)), [head.name]: {...entry, tree}});
  return tree;
}

/** Makes a folder elsewhere a skill by a link. */
export async function linkSkill(root: string, name: string, folder: string): Promise<void> {
  await exchange(root, name, (target) => symlink(folder, target, 'junction'));
}

/** Removes a skill, or the link to one. */
export async function removeSkill(root: string, folderName: string): Promise<void> {
  const aside = join(root, `${STAGING}removed`);
  await rename(join(root, folderName), aside);
  await rm(aside, {recursive: true, force: true});
  const {[folderName]: _, ...others} = await readSkillsLock(root);
  await writeSkillsLock(root, others);
}

/** Between the two steps, the old folder counts under the name that it was moved to. */
async function exchange(root: string, name: string, put: (target: string) => Promise<void>): Promise<void> {
  const [target, aside] = [join(root, name), join(root, `${REPLACED}${name}`)];
  if (await exists(target)) await rename(target, aside);
  await put(target);
  await rm(aside, {recursive: true, force: true});
}

async function tidy(root: string): Promise<void> {
  const names = await readdir(root);
  for (const name of names) {
    if (name.startsWith(STAGING)) await rm(join(root, name), {recursive: true, force: true});
    if (!name.startsWith(REPLACED)) continue;
    const original = name.slice(REPLACED.length);
    if (names.includes(original)) await rm(join(root, name), {recursive: true, force: true});
    else await rename(join(root, name), join(root, original));
  }
}

/** Whether something has this name, be it a link that leads nowhere. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === undefined) throw error;
      return false;
    },
  );
}
