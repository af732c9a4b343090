import {execFile} from 'node:child_process';
import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, test} from '@jest/globals';
import {engineNames, openSearching, type Searching} from './engines.js';

interface Layout {
  readonly files: Readonly<Record<string, string>>;
  /** Beside the project. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly roots: readonly string[];
  readonly settings?: object;
  /** Make the project a git repository. */
  readonly isRepository?: boolean;
}

async function open({files, beside = {}, roots, settings = {}, isRepository = true}: Layout): Promise<Searching> {
  // Directories have to be there before they can be roots.
  const searching = await openSearching({files, settings});
  const {project} = searching.kernel;
  if (isRepository) await promisify(execFile)('git', ['init', '--quiet', '--template='], {cwd: project});
  for (const [name, text] of Object.entries(beside)) {
    await mkdir(dirname(join(project, '..', name)), {recursive: true});
    await writeFile(join(project, '..', name), text);
  }
  const workspace = await searching.kernel.service('workspace');
  if (roots.length > 0)
    await workspace.add(
      roots.map((root) => join(project, root)),
      {scope: 'session'},
    );
  return searching;
}

/** The files that each engine finds, which have to be the same, as paths from the project. */
async function found(
  {run, kernel}: Searching,
  tool: 'glob' | 'grep_search',
  input: object,
): Promise<readonly string[]> {
  const answers = await Promise.all(engineNames.map(async (engine) => (await run(engine, tool, input)).model));
  for (const answer of answers) expect(answer).toBe(answers[0]);
  const clean = (answers[0] ?? '')
    .replaceAll(`${kernel.project}/`, '')
    .replaceAll(`${dirname(kernel.project)}/`, '../');
  return clean.startsWith('Found') ? clean.split('\n').slice(1) : [clean];
}

const everything = {pattern: '**/*'};
const everyNeedle = {pattern: 'needle', names_only: true};

async function both(layout: Layout): Promise<readonly [readonly string[], readonly string[]]> {
  await using searching = await open(layout);
  const globbed = await found(searching, 'glob', everything);
  expect(new Set(globbed).size).toBe(globbed.length);
  return [[...globbed].sort(), await found(searching, 'grep_search', everyNeedle)];
}

const same = (paths: readonly string[]): readonly [readonly string[], readonly string[]] => [[...paths].sort(), paths];

describe(
  'several directories: nothing twice, nothing missing, each by its own rules [search.roots] [search.ignore] ' +
    '[search.same-answers]',
  () => {
    test('beside each other', async () => {
      expect(
        await both({
          files: {'a.txt': 'needle', '.gitignore': 'no.txt\n.gitignore\n', 'no.txt': 'needle'},
          beside: {
            'lib/b.txt': 'needle',
            'lib/no.txt': 'needle',
            'other/c.txt': 'needle',
            'other/.geminiignore': 'd.txt\n.geminiignore\n',
            'other/d.txt': 'needle',
          },
          roots: ['../other', '../lib'],
        }),
      ).toEqual(same(['../lib/b.txt', '../lib/no.txt', '../other/c.txt', 'a.txt']));
    });

    test('one in the other, twice', async () => {
      expect(
        await both({
          files: {'a.txt': 'needle', 'in/b.txt': 'needle', 'in/in/c.txt': 'needle', 'z.txt': 'needle'},
          roots: ['in/in', 'in'],
        }),
      ).toEqual(same(['a.txt', 'in/b.txt', 'in/in/c.txt', 'z.txt']));
    });

    test('one in an ignored directory of another', async () => {
      const files = {
        'a.txt': 'needle',
        '.gitignore': 'ignored/\n.*\n',
        'ignored/no.txt': 'needle',
        'ignored/pkg/b.txt': 'needle',
        'ignored/pkg/.geminiignore': 'c.txt\n',
        'ignored/pkg/c.txt': 'needle',
      };
      expect(await both({files, roots: ['ignored/pkg']})).toEqual(same(['a.txt', 'ignored/pkg/b.txt']));
    });

    test('one in node_modules of another', async () => {
      expect(
        await both({
          files: {
            'a.txt': 'needle',
            'node_modules/no/b.txt': 'needle',
            'node_modules/pkg/b.txt': 'needle',
            'node_modules/pkg/node_modules/no/c.txt': 'needle',
          },
          roots: ['node_modules/pkg'],
        }),
      ).toEqual(same(['a.txt', 'node_modules/pkg/b.txt']));
    });

    test('one in build output of another, which only a search for lines passes by', async () => {
      expect(
        await both({
          files: {'a.txt': 'needle', 'dist/no.txt': 'needle', 'dist/pkg/b.txt': 'needle'},
          roots: ['dist/pkg'],
        }),
      ).toEqual([
        ['a.txt', 'dist/no.txt', 'dist/pkg/b.txt'],
        ['a.txt', 'dist/pkg/b.txt'],
      ]);
    });

    test('the .geminiignore of an inner one counts in it, and that of the outer one everywhere', async () => {
      expect(
        await both({
          files: {
            '.geminiignore': 'out.txt\n.*\n',
            'a.txt': 'needle',
            'in.txt': 'needle',
            'out.txt': 'needle',
            'in/.geminiignore': 'in.txt\n',
            'in/in.txt': 'needle',
            'in/out.txt': 'needle',
            'in/b.txt': 'needle',
            'in/deep/in.txt': 'needle',
          },
          roots: ['in'],
        }),
      ).toEqual(same(['a.txt', 'in/b.txt', 'in.txt']));
    });

    test('an inner one takes back what the outer one leaves out', async () => {
      await using searching = await open({
        files: {
          '.geminiignore': '*.txt\n.*\n',
          'a.txt': 'needle',
          'b.md': 'needle',
          'in/.geminiignore': '!b.txt\n',
          'in/a.txt': 'needle',
          'in/b.txt': 'needle',
        },
        roots: ['in'],
      });
      const workspace = await searching.kernel.service('workspace');
      const paths = ['a.txt', 'b.md', 'in/a.txt', 'in/b.txt'];
      const ignored = await workspace.ignored(paths.map((path) => join(searching.kernel.project, path)));
      expect(await found(searching, 'grep_search', everyNeedle)).toEqual(paths.filter((_, index) => !ignored[index]));
    });

    test('a .geminiignore takes back what git ignores, files and directories', async () => {
      expect(
        await both({
          files: {
            '.gitignore': '*.gen\nout/\n.*\n',
            '.geminiignore': '!api.gen\n!out/\nout/no.txt\n',
            'api.gen': 'needle',
            'b.gen': 'needle',
            'out/a.txt': 'needle',
            'out/no.txt': 'needle',
            'z.txt': 'needle',
          },
          roots: [],
        }),
      ).toEqual(same(['api.gen', 'out/a.txt', 'z.txt']));
    });

    test('custom ignore files, and what the settings turn off', async () => {
      const files = {
        '.gitignore': 'git.txt\n.*\n',
        '.geminiignore': 'gemini.txt\n',
        '.agentignore': 'agent.txt\n!git.txt\n',
        'git.txt': 'needle',
        'gemini.txt': 'needle',
        'agent.txt': 'needle',
        'z.txt': 'needle',
      };
      const custom = {context: {fileFiltering: {customIgnoreFilePaths: ['.agentignore']}}};
      expect(await both({files, roots: [], settings: custom})).toEqual(same(['git.txt', 'z.txt']));
      const without = {context: {fileFiltering: {respectGeminiIgnore: false}}};
      expect(await both({files, roots: [], settings: without})).toEqual(same(['agent.txt', 'gemini.txt', 'z.txt']));
    });

    test('a search in an inner one, and in a directory around it', async () => {
      await using searching = await open({
        files: {
          'a.txt': 'needle',
          'in/b.txt': 'needle',
          'in/pkg/c.txt': 'needle',
          'in/pkg/.geminiignore': '*.md\n',
          'in/pkg/d.md': 'needle',
          'in/pkg/deep/e.txt': 'x',
          'in/pkg/deep/e.md': 'x',
        },
        roots: ['in/pkg'],
      });
      expect(await found(searching, 'grep_search', {...everyNeedle, dir_path: 'in'})).toEqual([
        'in/b.txt',
        'in/pkg/c.txt',
      ]);
      expect(await found(searching, 'grep_search', {...everyNeedle, dir_path: 'in/pkg'})).toEqual(['in/pkg/c.txt']);
      expect([...(await found(searching, 'glob', {pattern: 'pkg/*', dir_path: 'in'}))].sort()).toEqual([
        'in/pkg/.geminiignore',
        'in/pkg/c.txt',
      ]);
      expect([...(await found(searching, 'glob', {pattern: 'in/pkg/deep/*'}))].sort()).toEqual(['in/pkg/deep/e.txt']);
    });

    test('a limit holds over all of them, in path order', async () => {
      await using searching = await open({
        files: {'m.txt': 'needle'},
        beside: {'b/x.txt': 'needle', 'zz/y.txt': 'needle'},
        roots: ['../zz', '../b'],
      });
      expect(await found(searching, 'grep_search', {...everyNeedle, total_max_matches: 2})).toEqual([
        '../b/x.txt',
        'm.txt',
      ]);
    });

    test('one that the outer one ignores by its own name', async () => {
      expect(
        await both({
          files: {
            'a.txt': 'needle',
            'sub/b.txt': 'needle',
            'other/c.txt': 'needle',
            '.gitignore': 'sub\n.gitignore\n',
            '.geminiignore': 'other/\n.geminiignore\n',
          },
          roots: ['sub', 'other'],
        }),
      ).toEqual(same(['a.txt', 'other/c.txt', 'sub/b.txt']));
    });

    test('one in one in node_modules of another', async () => {
      expect(
        await both({
          files: {
            'a.txt': 'needle',
            'node_modules/lib/b.txt': 'needle',
            'node_modules/lib/sub/c.txt': 'needle',
            'node_modules/d.txt': 'needle',
          },
          roots: ['node_modules/lib', 'node_modules/lib/sub'],
        }),
      ).toEqual(same(['a.txt', 'node_modules/lib/b.txt', 'node_modules/lib/sub/c.txt']));
    });

    test('with odd letters in the way to it', async () => {
      expect(
        await both({
          files: {'a.txt': 'needle', 'x[1]{y}*/b.txt': 'needle', 'x[1]{y}*/no/c.txt': 'needle'},
          roots: ['x[1]{y}*'],
        }),
      ).toEqual(same(['a.txt', 'x[1]{y}*/b.txt', 'x[1]{y}*/no/c.txt']));
    });

    test('a limit gives the first by path, also when an inner one lies among them', async () => {
      const files = Object.fromEntries(Array.from({length: 300}, (_, index) => [`z/${index}.txt`, 'needle\n']));
      await using searching = await open({
        files: {...files, 'a.txt': 'needle', 'node_modules/lib/b.txt': 'needle', 'm.txt': 'needle'},
        roots: ['node_modules/lib'],
      });
      for (let round = 0; round < 5; round += 1) {
        expect(
          await found(searching, 'grep_search', {pattern: 'needle', names_only: true, total_max_matches: 4}),
        ).toEqual(['a.txt', 'm.txt', 'node_modules/lib/b.txt', 'z/0.txt']);
      }
    });

    test('a pattern holds from each directory of the workspace around a file', async () => {
      await using searching = await open({
        files: {'in/a.ts': 'needle', 'in/deep/b.ts': 'needle', 'c.ts': 'needle'},
        roots: ['in'],
      });
      const globbed = async (pattern: string): Promise<readonly string[]> =>
        [...(await found(searching, 'glob', {pattern}))].sort();
      expect([
        await globbed('*.ts'),
        await globbed('in/*.ts'),
        await globbed('**/in/*.ts'),
        await globbed('deep/*.ts'),
      ]).toEqual([['c.ts', 'in/a.ts'], ['in/a.ts'], ['in/a.ts'], ['in/deep/b.ts']]);
      expect(
        await found(searching, 'grep_search', {pattern: 'needle', names_only: true, include_pattern: '**/in/*.ts'}),
      ).toEqual(['in/a.ts']);
    });
  },
);

describe('a directory of the workspace that has gone [search.lost-roots]', () => {
  test.each(['first', 'last'])('is named, and passed by by every engine: the %s', async (which) => {
    await using searching = await open({
      files: {'a.txt': 'needle'},
      beside: {'lib/b.txt': 'needle', 'other/c.txt': 'needle'},
      roots: ['../lib', '../other'],
    });
    const {project} = searching.kernel;
    const [gone, left] = which === 'first' ? ['lib', 'other/c.txt'] : ['other', 'lib/b.txt'];
    await rm(join(project, '..', gone), {recursive: true});
    const note = `(1 could not be read: ${join(dirname(project), gone)})`;
    for (const engine of engineNames) {
      const [globbed, grepped] = [
        await searching.run(engine, 'glob', everything),
        await searching.run(engine, 'grep_search', everyNeedle),
      ];
      for (const {model} of [globbed, grepped]) {
        expect(model).toContain(join(project, 'a.txt'));
        expect(model).toContain(join(dirname(project), left));
        expect(model.split(note).length).toBe(2);
      }
    }
  });

  test('ends no call when all of them have gone', async () => {
    await using searching = await open({files: {'a.txt': 'needle'}, beside: {}, roots: []});
    await rm(searching.kernel.project, {recursive: true});
    for (const engine of engineNames)
      expect((await searching.run(engine, 'glob', everything)).model).toContain('(1 could not be read: ');
  });
});
