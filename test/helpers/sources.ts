import {readdir, readFile} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';
import {checkout} from './plugin-root.js';

const skipped = new Set(['node_modules', 'dist']);

/** Texts of all files below folders of this checkout whose names end as asked, by path with forward slashes. */
export async function readSources(
  folders: readonly string[],
  ...endings: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const paths = (await Promise.all(folders.map((folder) => list(join(checkout, folder)))))
    .flat()
    .filter((path) => endings.some((ending) => path.endsWith(ending)));
  return new Map(
    await Promise.all(
      paths
        .sort()
        .map(async (path) => [relative(checkout, path).split(sep).join('/'), await readFile(path, 'utf8')] as const),
    ),
  );
}

async function list(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, {withFileTypes: true});
  const found = await Promise.all(
    entries
      .filter(({name}) => !skipped.has(name))
      .map((entry) =>
        entry.isDirectory() ? list(join(folder, entry.name)) : Promise.resolve([join(folder, entry.name)]),
      ),
  );
  return found.flat();
}
