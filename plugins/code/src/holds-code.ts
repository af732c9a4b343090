import {readdirSync, type Dirent} from 'node:fs';
import {join} from 'node:path';
import {isIndexed} from './languages/languages.js';

/** Files that stand beside code. */
const MARKS =
  /^(?:package\.json|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Makefile|CMakeLists\.txt|Gemfile|composer\.json|.*\.(?:sln|csproj))$/;
const WITHOUT = ['node_modules', '.git', 'dist', 'build'];
/** Folders that are looked into. */
const MOST_FOLDERS = 40;

/**
 * Whether a directory, or a folder directly in it, has a file of a programming language, or one that stands beside
 * code. It reads no file, and takes well below a millisecond.
 */
export function holdsCode(directory: string): boolean {
  const entries = read(directory);
  if (entries.some((entry) => entry.isFile() && (MARKS.test(entry.name) || isIndexed(entry.name)))) return true;
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !WITHOUT.includes(entry.name))
    .slice(0, MOST_FOLDERS)
    .some(({name}) => read(join(directory, name)).some((entry) => entry.isFile() && isIndexed(entry.name)));
}

function read(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, {withFileTypes: true});
  } catch (error) {
    // A folder that cannot be read shows no code.
    if ((error as NodeJS.ErrnoException).code !== undefined) return [];
    throw error;
  }
}
