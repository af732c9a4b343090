import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {findForeignWriter, type ForeignWriter} from '@gemini-kernel/files';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import type {Environment} from '@gemini-kernel/kernel';

type Surroundings = Pick<Environment, 'home' | 'cacheDir'> & {readonly installs: Pick<InstallPlaces, 'user'>};

/** What is read from the person's folders and decides something. */
const READ = ['settings.json', 'trustedFolders.json', '.env', 'GEMINI.md', 'projects.json', 'tmp', 'history'];

/** Files and folders of the person that others may write, each once, with the command that ends it. */
export function findUnsafeFiles({home, cacheDir, installs}: Surroundings): readonly ForeignWriter[] {
  const own = join(home, '.gemini');
  const {lock, store, bundles} = installs.user;
  const policies = join(own, 'policies');
  const below = (folder: string): readonly string[] => namesIn(folder).map((name) => join(folder, name));
  const paths = [
    own,
    ...READ.map((name) => join(own, name)),
    join(home, '.env'),
    policies,
    ...below(policies),
    dirname(lock),
    lock,
    store,
    ...below(store),
    bundles,
    ...below(bundles),
    cacheDir,
    ...below(cacheDir),
  ];
  const found = paths.flatMap((path) => findForeignWriter(path, {home}) ?? []);
  return [...new Map(found.map((writer) => [writer.path, writer])).values()];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return [];
  }
}
