import {readdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {Eval} from './eval.js';
import {createEvalSchema} from './eval-schema.js';
import {readEval} from './read-eval.js';

const DEEPEST = 6;
const AT_ONCE = 16;
const LEFT_OUT = new Set(['node_modules', 'project', '.git']);

/** The evaluations below a folder whose names contain `filter`, by name. Throws KernelError EVAL_INVALID. */
export async function findEvals(root: string, filter = ''): Promise<readonly Eval[]> {
  const found = (await findFolders(root)).filter(({name}) => name.includes(filter));
  const evals: Eval[] = [];
  const schema = createEvalSchema();
  for (let at = 0; at < found.length; at += AT_ONCE)
    evals.push(
      ...(await Promise.all(found.slice(at, at + AT_ONCE).map(({folder, name}) => readEval(folder, name, schema)))),
    );
  return evals;
}

/** The error for a folder without any. */
export function noEvals(root: string, filter: string): KernelError {
  const which = filter === '' ? 'no evaluation' : `no evaluation whose name contains ${JSON.stringify(filter)}`;
  return new KernelError('EVAL_UNKNOWN', `There is ${which} in ${root}.`, {
    hint: 'An evaluation is a folder with eval.toml; docs/evals.md shows one. --from names another folder.',
  });
}

/** Folders with `eval.toml`; what is below such a folder belongs to it. Links are not followed. */
async function findFolders(root: string): Promise<readonly {readonly name: string; readonly folder: string}[]> {
  const found: {name: string; folder: string}[] = [];
  const visit = async (name: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, name), {withFileTypes: true}).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
      throw error;
    });
    if (entries.some((entry) => entry.name === 'eval.toml' && !entry.isDirectory())) {
      found.push({name: name === '' ? basename(root) : name, folder: join(root, name)});
      return;
    }
    if (depth >= DEEPEST) return;
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name))
        await visit(name === '' ? entry.name : `${name}/${entry.name}`, depth + 1);
  };
  await visit('', 0);
  return found;
}
