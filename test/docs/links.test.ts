import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';

const plugins = (await readdir(join(checkout, 'plugins'))).sort().map((name) => `plugins/${name}/README.md`);
const guides = (await readdir(join(checkout, 'docs'), {recursive: true}))
  // The test of words writes pages of its own beside them.
  .filter((name) => name.endsWith('.md') && !name.startsWith('words-'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .sort();

const read = (page: string): Promise<string> => readFile(join(checkout, page), 'utf8');

/** The name that a heading has in an address. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

async function leadsSomewhere(page: string, target: string): Promise<boolean> {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(checkout, file))) return false;
  if (anchor === undefined) return true;
  return [...(await read(file)).matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor);
}

test.each([...guides, ...plugins, 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'kernel/README.md', 'manifests/README.md'])(
  'every link of %s within this repository leads somewhere',
  async (page) => {
    const targets = [...(await read(page)).replaceAll(/^```[^]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"\s]+)"/g)]
      .map(([, link, picture]) => link ?? picture ?? '')
      .filter((target) => !/^[a-z]+:/.test(target));
    const lost = await Promise.all(
      targets.map(async (target) => ((await leadsSomewhere(page, target)) ? [] : [target])),
    );
    expect(lost.flat()).toEqual([]);
  },
);

test.each([
  ['kernel/README.md', 95],
  ['manifests/README.md', 80],
])('%s has at most %i lines', async (page, most) =>
  expect((await read(page)).trimEnd().split('\n').length).toBeLessThanOrEqual(most),
);

describe('a README is short and has the same parts everywhere', () => {
  test.each(plugins)('%s', async (page) => {
    const lines = (await read(page)).trimEnd().split('\n');
    const parts = lines.filter((line) => line.startsWith('## ')).map((line) => line.slice(3));
    expect({parts, isShort: lines.length <= 80}).toEqual({
      parts: ['Adds', 'Needs', 'Configure', 'Errors', 'Alone'],
      isShort: true,
    });
  });
});
