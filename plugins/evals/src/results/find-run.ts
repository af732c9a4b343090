import {readdir} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';

export const LATEST = 'latest';

/** The folder with the runs of a project. */
export function runsOf(temporary: string): string {
  return join(temporary, 'evals');
}

/** The file with the results of a variant, beside those without it. */
export function variantFileOf(file: string): string {
  return file.replace(/\.jsonl$/, '-variant.jsonl');
}

/** The file of a run without a variant, from either of the two; the latest run of a comparison is that with it. */
export function baseFileOf(file: string): string {
  return file.replace(/-variant\.jsonl$/, '.jsonl');
}

/**
 * The file of a run: a path that ends with `.jsonl`, the name of a run of this project, or `latest`. `folder` is
 * undefined for a project without any. Throws KernelError EVAL_RUN_UNKNOWN.
 */
export async function findRun(name: string, folder: string | undefined, cwd: string): Promise<string> {
  if (name.endsWith('.jsonl')) return resolve(cwd, name);
  const names = folder === undefined ? [] : await listRuns(folder);
  const found = name === LATEST ? names.at(-1) : names.find((one) => one === name);
  if (found !== undefined && folder !== undefined) return join(folder, `${found}.jsonl`);
  const what = name === LATEST ? 'no run of evaluations' : `no run of evaluations ${JSON.stringify(name)}`;
  throw new KernelError('EVAL_RUN_UNKNOWN', `There is ${what} in this project.`, {
    hint: 'Pass the file of one, or start one with `gemini evals run`.',
  });
}

/** Names begin with the time at which a run started. */
async function listRuns(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const files = entries.filter((entry) => entry.endsWith('.jsonl'));
  return files.map((entry) => entry.slice(0, -'.jsonl'.length)).sort();
}
