import {fileURLToPath} from 'node:url';
import {readText} from '@gemini-kernel/files';
import {ToolError} from '@gemini-kernel/kernel';

/** The documentation of this program, by the names of its pages (`agents.md`). */
export type Pages = ReadonlyMap<string, string>;

/** Where the build of this plugin puts the pages: one file, so that no name can lead elsewhere. */
export function pagesFile(): string {
  return fileURLToPath(new URL('../docs.json', import.meta.url));
}

export async function readPages(): Promise<Pages> {
  // The build writes the names of pages and their texts.
  const pages = JSON.parse(await readText(pagesFile())) as Readonly<Record<string, string>>;
  return new Map(Object.entries(pages));
}

/** A page by its name, as lists, links and people write it: `agents.md`, `docs/agents.md`, `agents`, `agents.md#a`. */
export function findPage(pages: Pages, path: string): {readonly name: string; readonly text: string} {
  const [plain = ''] = path.trim().split('#');
  const name = plain.replaceAll('\\', '/').replace(/^(?:\.?\/)?(?:docs\/)?/, '');
  for (const one of [name, `${name}.md`]) {
    const text = pages.get(one);
    if (text !== undefined) return {name: one, text};
  }
  throw new ToolError('DOCS_UNKNOWN', `There is no page ${JSON.stringify(path.slice(0, 80))}.`, {
    hint: `There are: ${[...pages.keys()].join(', ')}.`,
  });
}
