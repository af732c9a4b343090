import {createHash} from 'node:crypto';
import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Eval, ProjectFile} from '../format/eval.js';

/** A project of one repetition, in a temporary folder of its own. */
export interface Prepared {
  /** Holds the project, and what a run needs beside it. */
  readonly folder: string;
  readonly project: string;
  /** SHA-256 of the files of the project before the run, by path. */
  readonly before: ReadonlyMap<string, string>;
  remove(): Promise<void>;
}

/** Where the rules of an evaluation are in its project. */
export const RULES = '.gemini/policies';

/** Copies the project of an evaluation. Its rules become those of the project, which only tighten. */
export async function prepareProject({project, policy}: Eval, temporary: string): Promise<Prepared> {
  const folder = await realpath(await mkdtemp(join(temporary, 'gemini-eval-')));
  const root = join(folder, 'project');
  await mkdir(root);
  const rules = policy.map((file) => ({...file, path: `${RULES}/${file.path}`}));
  for (const file of [...project, ...rules]) await writeProjectFile(root, file);
  return {
    folder,
    project: root,
    before: new Map([...project, ...rules].map(({path, bytes}) => [path, hashOf(bytes)])),
    // What a run left in the background may write while its folder is removed.
    remove: () => rm(folder, {recursive: true, force: true, maxRetries: 3}),
  };
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function writeProjectFile(root: string, {path, bytes, isExecutable}: ProjectFile): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), {recursive: true});
  await writeFile(file, bytes, {mode: isExecutable ? 0o755 : 0o644});
}
