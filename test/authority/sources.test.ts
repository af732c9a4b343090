import {mkdir, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../helpers/make-plugin.js';
import {checkout} from '../helpers/plugin-root.js';
import {runGemini} from '../helpers/run-gemini.js';
import {limits, sources, type Limit, type Source} from './sources-table.js';

const CLOSED = '[[rule]]\ntoolName = "read_file"\npath = "closed.txt"\ndecision = "deny"\npriority = 1\n';
const names = Object.keys(limits) as Limit[];

/** How each command ends where this source is. */
async function tryAll(source: Source): Promise<readonly (readonly [Limit, boolean])[]> {
  await using folder = await makeFolder();
  const root = folder.path;
  const [home, project, outside] = [join(root, 'home'), join(root, 'project'), join(root, 'outside')];
  // A built plugin that no lock knows.
  const good = join(checkout, 'test', 'fixtures', 'plugins', 'good');
  const fill = (text: string): string =>
    text
      .replaceAll('HOME', home)
      .replaceAll('PROJECT', project)
      .replaceAll('OUTSIDE', outside)
      .replaceAll('"evil":', '"good":')
      .replaceAll('EVIL', good);
  const write = async (place: string, files: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(place, name)), {recursive: true});
      await writeFile(join(place, name), fill(typeof content === 'string' ? content : JSON.stringify(content)));
    }
  };
  await write(outside, {'a.txt': 'a'});
  await write(root, {'trusted.json': {PROJECT: 'TRUST_FOLDER'}});
  await write(project, {'a.txt': 'a', 'closed.txt': 'a', ...source.project});
  await write(home, {'.gemini/policies/closed.toml': CLOSED, ...source.home});
  const tried: (readonly [Limit, boolean])[] = [];
  for (const name of names) {
    const {argv, trusted} = limits[name];
    const variables = {
      GEMINI_CLI_TRUST_WORKSPACE: '',
      ...(trusted ? {GEMINI_CLI_TRUSTED_FOLDERS_PATH: join(root, 'trusted.json')} : {}),
      ...Object.fromEntries(Object.entries(source.variables ?? {}).map(([key, value]) => [key, fill(value)])),
    };
    const line = [
      ...argv.map((word) => (word === 'evil' ? 'good' : word)),
      ...(source.argv ?? [])
        .map(fill)
        .filter((word) => word !== '--yolo' || !(argv as readonly string[]).includes(word)),
    ];
    const {code} = await runGemini(name === 'which code loads' ? line.slice(0, 2) : line, {
      cwd: project,
      home,
      variables,
    });
    tried.push([name, code === 0]);
  }
  return tried;
}

test.each(sources.map((source) => [source.writer, source.what, source] as const))(
  'of the %s: %s loosens what the table says and nothing else [authority.sources]',
  async (_, __, source) => {
    expect(await tryAll(source)).toEqual(names.map((name) => [name, source.loosens.includes(name)]));
  },
);
