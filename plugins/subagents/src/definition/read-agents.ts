import {createHash} from 'node:crypto';
import {readdir, realpath} from 'node:fs/promises';
import {basename, join, sep} from 'node:path';
import {isFileFault, readText} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {AgentFault} from '../contract.js';
import type {AgentRoot} from './agent-roots.js';
import {parseAgent, type ParsedAgent} from './parse-agent.js';

/** The most that a definition may have. */
export const LARGEST = 256 * 1024;
const MOST_FILES = 500;

/** An agent in a file. */
export interface AgentFile extends ParsedAgent {
  readonly root: AgentRoot;
  readonly file: string;
  /** sha256 of the text, as Gemini CLI writes it for what a person agreed to. */
  readonly digest: string;
}

/** The agents in a folder; `_name.md` is for parts of others. */
export async function readAgents(
  root: AgentRoot,
): Promise<{readonly files: readonly AgentFile[]; readonly faults: readonly AgentFault[]}> {
  const names = (await listNames(root)).filter((name) => name.endsWith('.md') && !name.startsWith('_')).sort();
  const faults: AgentFault[] = names.slice(MOST_FILES).map((name) => ({
    file: join(root.path, name),
    reason: `is one of more than ${MOST_FILES} agents`,
    kind: 'broken',
  }));
  const read = await Promise.all(names.slice(0, MOST_FILES).map((name) => readAgent(root, join(root.path, name))));
  const files = read.filter((one): one is AgentFile => 'definition' in one);
  return {files, faults: [...faults, ...read.filter((one): one is AgentFault => 'kind' in one)]};
}

async function listNames({path}: AgentRoot): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}

async function readAgent(root: AgentRoot, file: string): Promise<AgentFile | AgentFault> {
  try {
    if (root.origin === 'project' && !(await isInside(root.path, file)))
      return {file, reason: 'is a link that leads out of its folder', kind: 'broken'};
    const text = await readText(file, {limit: LARGEST});
    const parsed = parseAgent(text);
    if (typeof parsed === 'string') return {file, reason: parsed, kind: 'broken'};
    return {root, file, digest: createHash('sha256').update(text).digest('hex'), ...parsed};
  } catch (error) {
    return {file, reason: reasonOf(error), kind: 'broken'};
  }
}

async function isInside(folder: string, file: string): Promise<boolean> {
  const [top, real] = await Promise.all([realpath(folder), realpath(file)]);
  return real === join(top, basename(file)) || real.startsWith(top + sep);
}

function reasonOf(error: unknown): string {
  if (isFileFault(error)) return `cannot be read: ${error.reason}`;
  const {code} = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code === 'ENOENT' ? 'is a link that leads nowhere, or was removed' : `cannot be read: ${messageOf(error)}`;
}
