import {randomBytes} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {stringify} from 'smol-toml';
import {findNearest, KernelError, messageOf} from '@gemini-kernel/kernel';
import type {Suite} from './suite.js';

/** All suites, by name. */
export async function readSuites(): Promise<readonly Suite[]> {
  const [{edits}, {injection, longContext, policy, toolChoice}, {skills}, {subagents}] = await Promise.all([
    import('./edits.js'),
    import('./fixed-suites.js'),
    import('./skill-suite.js'),
    import('./subagent-suite.js'),
  ]);
  return [edits, injection(), longContext(), policy(), skills(), subagents(), toolChoice()];
}

/** Throws KernelError EVAL_UNKNOWN. */
export function findSuite(suites: readonly Suite[], name: string): Suite {
  const found = suites.find((suite) => suite.name === name);
  if (found) return found;
  const names = suites.map((suite) => suite.name);
  const near = findNearest(name, names);
  throw new KernelError('EVAL_UNKNOWN', `There is no suite ${JSON.stringify(name)}.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `There are: ${names.join(', ')}.`,
  });
}

/**
 * Writes the evaluations of a suite into a folder that is not there yet, whole or not at all. Throws KernelError
 * EVAL_UNWRITABLE.
 */
export async function writeSuite(
  suite: Suite,
  folder: string,
  options: {readonly count: number; readonly seed: number},
): Promise<number> {
  await refuseFilled(folder);
  const draft = `${folder}.new-${randomBytes(6).toString('hex')}`;
  const all = suite.make(options);
  try {
    await makeFolders(dirname(folder));
    await mkdir(draft);
    for (const {name, toml} of all) {
      await mkdir(join(draft, name), {recursive: true});
      await writeFile(join(draft, name, 'eval.toml'), stringify(toml));
    }
    await rename(draft, folder);
  } catch (cause) {
    await rm(draft, {recursive: true, force: true});
    throw unwritable(folder, messageOf(cause), cause);
  }
  return all.length;
}

/** One after the other: where no folders can be made, such as in /proc, Node tries forever to make all at once. */
async function makeFolders(path: string): Promise<void> {
  const above = dirname(path);
  const made = await mkdir(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return true;
      if (error.code !== 'ENOENT' || existsSync(above)) throw error;
      return false;
    },
  );
  if (made) return;
  await makeFolders(above);
  await mkdir(path);
}

async function refuseFilled(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw unwritable(folder, error.message, error);
  });
  if (names.length > 0) throw unwritable(folder, 'the folder is there and not empty.');
}

function unwritable(folder: string, why: string, cause?: unknown): KernelError {
  return new KernelError('EVAL_UNWRITABLE', `Cannot write evaluations to ${folder}: ${why}`, {
    ...(cause === undefined ? {} : {cause}),
    hint: 'Remove the folder, or name another one with --to.',
  });
}
