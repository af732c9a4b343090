import {dirname, join, resolve} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {systemCode} from './real-path.js';
import {statsOf} from './stats.js';

/** The ignore sources of a git working tree besides its `.gitignore` files. */
export interface Repository {
  /** The top of the working tree. */
  readonly root: string;
  /** `info/exclude`, which linked working trees share. */
  readonly excludeFile: string;
  readonly ignoreCase: boolean;
}

/** The repository whose working tree a directory lies in. */
export async function repositoryAround(directory: string): Promise<Repository | undefined> {
  for (let current = directory; ;) {
    const repository = await repositoryAt(current);
    if (repository !== undefined) return repository;
    const parent = dirname(current);
    if (parent === current) return undefined;
    current = parent;
  }
}

/** The repository whose working tree has its top here, by a `.git` directory or a `.git` file that names one. */
export async function repositoryAt(directory: string): Promise<Repository | undefined> {
  const gitDirectory = await gitDirectoryOf(directory);
  if (gitDirectory === undefined || (await textOf(join(gitDirectory, 'HEAD'))) === undefined) return undefined;
  const shared = (await textOf(join(gitDirectory, 'commondir')))?.trim();
  const common = shared === undefined ? gitDirectory : resolve(gitDirectory, shared);
  const config = (await textOf(join(common, 'config'))) ?? '';
  return {root: directory, excludeFile: join(common, 'info', 'exclude'), ignoreCase: ignoresCase(config)};
}

async function gitDirectoryOf(directory: string): Promise<string | undefined> {
  const own = join(directory, '.git');
  const stats = await statsOf(own);
  if (stats === undefined || stats.isDirectory()) return stats && own;
  const named = /^gitdir: (.+)/.exec((await textOf(own)) ?? '')?.[1];
  return named === undefined ? undefined : resolve(directory, named);
}

function ignoresCase(config: string): boolean {
  let section = '';
  let answer = false;
  for (const line of config.split('\n')) {
    section = /^\s*\[([^\]]*)\]/.exec(line)?.[1]?.trim().toLowerCase() ?? section;
    const value = section === 'core' ? /^\s*(?:\[[^\]]*\]\s*)?ignorecase\s*(?:=\s*"?(\w+)|$)/i.exec(line) : null;
    if (value !== null) answer = /^(?:true|yes|on|1)$/i.test(value[1] ?? 'true');
  }
  return answer;
}

async function textOf(path: string): Promise<string | undefined> {
  return readText(path).catch(absent);
}

/** What cannot be read is not part of a repository. */
function absent(error: unknown): undefined {
  if (systemCode(error) === undefined) throw error;
}
