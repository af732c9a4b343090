import {fork} from 'node:child_process';
import {once} from 'node:events';
import {renameSync, symlinkSync} from 'node:fs';
import {mkdir, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../../helpers/plugin-root.js';
import {engineNames, openSearching} from './engines.js';
import {say} from './searching-kernel.js';

const plugins = ['settings', 'trust', 'workspace', 'policy', 'search', 'secrets', 'shell'].map(pluginRoot);
const files = {
  '.env': 'needle=1\n',
  'a.txt': 'needle a\n',
  'deep/.env.local': 'needle=2\n',
  'deep/b.txt': 'needle b1\nneedle b2\n',
  'deep/id_rsa': 'needle\n',
  'deep/secrets.pem': 'needle\n',
  'dist/.env': 'needle=3\n',
  'dist/c.txt': 'needle c\n',
  'z.txt': 'needle z\n',
};
const isSecret = (path: string): boolean => /^(\.env.*|id_rsa|.*\.pem)$/.test(basename(path));

const open = (useRipgrep: boolean): Promise<TestKernel> =>
  createTestKernel({
    plugins,
    files,
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true', PATH: process.env['PATH']},
    homeFiles: {'.gemini/settings.json': JSON.stringify({tools: {useRipgrep}})},
  });

/** An input, and all that is to be said. */
const cases: readonly (readonly [string, object, string])[] = [
  [
    'lines',
    {pattern: 'needle', context: 0},
    `Found 4 matches for pattern "needle" in path "~":\n---\nFile: ~/a.txt\nL1: needle a\n---\nFile: ` +
      `~/deep/b.txt\nL1: needle b1\nL2: needle b2\n---\nFile: ~/z.txt\nL1: needle z\n---`,
  ],
  [
    'names',
    {pattern: 'needle', names_only: true},
    `Found 3 files with matches for pattern "needle" in path "~":\n~/a.txt\n~/deep/b.txt\n~/z.txt`,
  ],
  [
    'all that is ignored',
    {pattern: 'needle', names_only: true, no_ignore: true},
    `Found 4 files with matches for pattern "needle" in path "~":\n~/a.txt\n~/deep/b.txt\n~/dist/c.txt\n~/z.txt`,
  ],
  [
    'a limit, which is filled with what may be shown',
    {pattern: 'needle', context: 0, total_max_matches: 2},
    `Found 2 matches for pattern "needle" in path "~" (results limited to 2 matches for performance):\n---\nFile: ` +
      `~/a.txt\nL1: needle a\n---\nFile: ~/deep/b.txt\nL1: needle b1\n---`,
  ],
  [
    'a limit of names',
    {pattern: 'needle', names_only: true, total_max_matches: 1},
    `Found 1 file with matches for pattern "needle" in path "~" (results limited to 1 file for performance):\n~/a.txt`,
  ],
  [
    'a pattern of one file',
    {pattern: 'needle=1'},
    'No matches found for pattern "needle=1" in path "~". Ignored files, dependencies and build output were not ' +
      'searched; no_ignore searches them too.',
  ],
  [
    'an included file',
    {pattern: 'needle', include_pattern: '.env'},
    'No matches found for pattern "needle" in path "~" (filter: ".env"). Ignored files, dependencies and build ' +
      'output were not searched; no_ignore searches them too.',
  ],
  [
    'a pattern for another engine',
    {pattern: '(?<=ne)edle(?==)|(n)eed(?!\\1)le z'},
    `Found 1 match for pattern "(?<=ne)edle(?==)|(n)eed(?!\\1)le z" in path "~":\n---\nFile: ~/z.txt\nL1: needle ` +
      `z\n---`,
  ],
];

const tries = [{}, {names_only: true}, {include_pattern: '.env'}, {no_ignore: true}, {total_max_matches: 1}];

describe('of files that may not be read nothing is said [search.judged]', () => {
  test.each([[true], [false]])('by the rules of the policy, when ripgrep is wanted: %s', async (useRipgrep) => {
    await using kernel = await open(useRipgrep);
    for (const [, input, model] of cases) expect(await say(kernel, 'grep_search', input)).toEqual({model});
  });

  test.each(engineNames)('and not searched out: %s', async (engine) => {
    await using searching = await openSearching({files});
    for (const [, input, model] of cases) {
      const answer = await searching.run(engine, 'grep_search', input, {permits: (path) => !isSecret(path)});
      expect(answer.model.replaceAll(searching.kernel.project, '~')).toBe(model);
    }
  });

  test.each([[true], [false]])(
    'not even whether they hold what is looked for, when ripgrep is wanted: %s',
    async (useRipgrep) => {
      await using kernel = await open(useRipgrep);
      const answer = async (pattern: string, more: object): Promise<string> => {
        const end = await kernel.call('grep_search', {pattern, ...more});
        return JSON.stringify({...end, callId: '', ms: 0}).replaceAll(pattern, '<pattern>');
      };
      for (const more of tries) expect(await answer('needle=1', more)).toBe(await answer('needle=9', more));
    },
  );

  test.each(engineNames)('nor while the search runs: %s', async (engine) => {
    await using searching = await openSearching({files});
    const answer = async (pattern: string, more: object): Promise<string> => {
      const told: string[] = [];
      const given = await searching.run(
        engine,
        'grep_search',
        {pattern, ...more},
        {permits: (path) => !isSecret(path), onProgress: (text) => void told.push(text)},
      );
      return JSON.stringify([given, told]).replaceAll(pattern, '<pattern>');
    };
    for (const more of tries) expect(await answer('needle=1', more)).toBe(await answer('needle=9', more));
  });

  test('nor of what a file was moved away for while it was judged', async () => {
    await using searching = await openSearching({files: {'d/f': 'needle', 'keys/f': 'needle'}});
    const {project} = searching.kernel;
    const search = async (isReadable: boolean): Promise<unknown> => {
      const permits = (path: string): boolean => {
        if (!path.startsWith(join(project, 'd'))) return isReadable;
        renameSync(join(project, 'd'), join(project, 'aside'));
        symlinkSync(join(project, 'keys'), join(project, 'd'));
        return true;
      };
      const {data} = await searching.run(
        'javascript',
        'grep_search',
        {pattern: 'needle', include_pattern: 'd/*'},
        {permits},
      );
      await rm(join(project, 'd'));
      await rename(join(project, 'aside'), join(project, 'd'));
      return data;
    };
    expect(await search(false)).toEqual({files: [], isLimited: false, unreadable: [], changed: []});
    expect(await search(true)).toEqual({files: [], isLimited: false, unreadable: [], changed: [join(project, 'd/f')]});
  });

  test.each(['.env', 'deep/../.env', 'deep/id_rsa', 'deep/secrets.pem'])(
    'a search in %s is refused',
    async (dir_path) => {
      await using kernel = await open(true);
      expect(await say(kernel, 'grep_search', {pattern: 'needle', dir_path})).toEqual({
        code: 'refused',
        message: expect.stringMatching(/secret|private key/),
      });
    },
  );

  test('a search in a link to such a file is refused', async () => {
    await using kernel = await open(true);
    await symlink('.env', join(kernel.project, 'innocent.txt'));
    expect(await say(kernel, 'grep_search', {pattern: 'needle', dir_path: 'innocent.txt'})).toEqual({
      code: 'refused',
      message: expect.stringMatching(/secret/),
    });
  });
});

describe('what is swapped while it is searched', () => {
  const many = Object.fromEntries(Array.from({length: 200}, (_, index) => [`d/f${index}`, 'inside needle\n']));

  test.each(engineNames)('never shows lines from outside: %s [search.judged]', async (engine) => {
    await using searching = await openSearching({files: many});
    const {project} = searching.kernel;
    const outside = `${project}-outside`;
    await mkdir(outside);
    await Promise.all(Object.keys(many).map((name) => writeFile(join(outside, basename(name)), 'OUTSIDE needle\n')));
    await symlink(outside, join(project, 'link'));
    const program = fileURLToPath(new URL('./swapping-program.js', import.meta.url));
    const swapping = ['0', '1'].map((pause) => [
      join(project, 'd'),
      join(project, 'link'),
      join(project, 'aside'),
      pause,
    ]);
    let inside = 0;
    for (const args of swapping) {
      const swapper = fork(program, args, {execArgv: []});
      await once(swapper, 'message');
      for (let time = 0; time < 6; time += 1) {
        const {model} = await searching.run(engine, 'grep_search', {
          pattern: 'needle',
          total_max_matches: 1000,
          context: time % 2,
        });
        expect(model).not.toContain('OUTSIDE');
        inside += model.includes('inside needle') ? 1 : 0;
      }
      swapper.kill('SIGKILL');
      await once(swapper, 'exit');
      await putBack(project);
    }
    expect(inside).toBeGreaterThan(0);
  });

  test.each(engineNames)('in a directory that is a link when the search begins: %s [search.judged]', async (engine) => {
    await using searching = await openSearching({files: {'d/f': 'needle\n', 'e/f': 'needle\n'}});
    const {project} = searching.kernel;
    const permits = (path: string): boolean => path.endsWith('e/f');
    await searching.run(engine, 'grep_search', {pattern: 'needle'}, {permits});
    await rename(join(project, 'd'), join(project, 'gone'));
    await symlink('/etc', join(project, 'd'));
    const {model} = await searching.run(
      engine,
      'grep_search',
      {pattern: 'root|needle', names_only: true},
      {permits: () => true},
    );
    expect(model.replaceAll(project, '~').split('\n').slice(1)).toEqual(['~/e/f', '~/gone/f']);
  });
});

/** Wherever it was killed, the directory is a directory again, and the link a link. */
async function putBack(project: string): Promise<void> {
  const at = (name: string): string => join(project, name);
  const isThere = (error: NodeJS.ErrnoException): void =>
    expect(error.code).toMatch(/^(ENOENT|ENOTEMPTY|EEXIST|ENOTDIR|EISDIR)$/);
  // Killed in the middle, the link stands in the place of the directory, which stands aside.
  await rename(at('aside'), at('back')).then(async () => {
    await rename(at('d'), at('link')).catch(isThere);
    await rename(at('back'), at('d'));
  }, isThere);
}
