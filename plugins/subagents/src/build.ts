import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {pagesFile} from './docs/pages.js';

/** Carries the guides, for `get_internal_docs`: people who ask how this program works may have no network. */
export async function build(): Promise<void> {
  const folder = fileURLToPath(new URL('../../../docs', import.meta.url));
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md')).sort();
  const texts = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
  );
  await writeFile(pagesFile(), JSON.stringify(Object.fromEntries(texts)));
}
