import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {AgentFolder, AgentOrigin} from '../contract.js';

/** A folder in which agents are looked for. */
export interface AgentRoot {
  readonly path: string;
  readonly origin: AgentOrigin;
  readonly owner?: string;
}

/** Folders of a person and of a project, below their `home` and `cwd`. */
const FOLDERS = ['.gemini/agents', '.claude/agents'] as const;

interface Place {
  readonly environment: Pick<Environment, 'home' | 'cwd'>;
  /** Folders of extensions. */
  readonly folders: readonly AgentFolder[];
}

/** The folders in which agents are looked for: of two agents with one name, the first counts. */
export async function listRoots({environment: {home, cwd}, folders}: Place): Promise<readonly AgentRoot[]> {
  const of = (top: string, origin: AgentOrigin): readonly AgentRoot[] =>
    FOLDERS.map((folder) => ({path: join(top, folder), origin}));
  // Started in the home directory, the folders of the project are those of the person.
  const [top, own] = await Promise.all([cwd, home].map((path) => realpath(path).catch(() => path)));
  return [
    ...(top === own ? [] : of(cwd, 'project')),
    ...of(home, 'user'),
    ...folders.map((folder): AgentRoot => ({...folder, origin: 'extension'})),
  ];
}
