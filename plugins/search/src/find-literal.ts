import {stat} from 'node:fs/promises';
import {resolve} from 'node:path';
import {isToolError} from '@gemini-kernel/kernel';
import type {Workspace} from '@gemini-kernel/plugin-workspace/contract';
import type {Place} from './engine/engine.js';

/** The files whose path a pattern is, letter by letter, in the workspace; undefined when it is no file's. */
export async function findLiteral(
  pattern: string,
  places: readonly Place[],
  workspace: Pick<Workspace, 'resolve'>,
): Promise<readonly string[] | undefined> {
  const paths = [...new Set(places.map(({bases: [base]}) => resolve(base, pattern)))];
  const found = await Promise.all(paths.map((path) => isFile(path, workspace)));
  const files = paths.filter((_, index) => found[index]);
  return files.length === 0 ? undefined : files;
}

async function isFile(path: string, workspace: Pick<Workspace, 'resolve'>): Promise<boolean> {
  try {
    return (await stat(await workspace.resolve(path))).isFile();
  } catch (error) {
    // Outside of the workspace, missing, or no path at all.
    if (isToolError(error) || (error as NodeJS.ErrnoException).code !== undefined) return false;
    throw error;
  }
}
