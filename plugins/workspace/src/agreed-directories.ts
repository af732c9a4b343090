import {join} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';

interface Parts {
  readonly files: Pick<ConfigFiles, 'readJSON' | 'setJSON'>;
  readonly environment: Pick<Environment, 'home'>;
  /** Real path of the project. */
  readonly project: string;
}

/** The user's own file of agreed directories: for each project, the outside directories that its settings may add. */
function fileOf({home}: Pick<Environment, 'home'>): string {
  return join(home, '.gemini', 'includedDirectories.json');
}

/** The directories that a person agreed to for a project. Throws KernelError SETTINGS_BROKEN or SETTINGS_UNREADABLE. */
export async function readAgreed({files, environment, project}: Parts): Promise<ReadonlySet<string>> {
  const kept = (await files.readJSON(fileOf(environment)))?.[project];
  return new Set(Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []);
}

/** Records that a person agreed to more directories. */
export async function keepAgreed(parts: Parts, paths: readonly string[]): Promise<void> {
  const before = await readAgreed(parts);
  const fresh = paths.filter((path) => !before.has(path));
  if (fresh.length > 0) await parts.files.setJSON(fileOf(parts.environment), [parts.project], [...before, ...fresh]);
}

/** Removes the agreement for some directories. */
export async function revokeAgreed(parts: Parts, paths: readonly string[]): Promise<void> {
  const before = await readAgreed(parts);
  const left = [...before].filter((path) => !paths.includes(path));
  if (left.length < before.size)
    await parts.files.setJSON(fileOf(parts.environment), [parts.project], left.length > 0 ? left : undefined);
}
