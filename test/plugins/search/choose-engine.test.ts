import {fork} from 'node:child_process';
import {once} from 'node:events';
import {chmod, mkdir, symlink} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, test} from '@jest/globals';
import type * as ChooseEngine from '#plugins/search/dist/choose-engine.js';
import {ripgrepProgram} from './ripgrep-program.js';
import {searchingKernel} from './searching-kernel.js';
import {buildTree, type Tree} from './tree.js';
import {chooseEngine} from '#plugins/search/dist/choose-engine.js';
import {findBundled, findOnPath} from '#plugins/search/dist/ripgrep/program.js';

const {platform} = process;
const noPackage = `the package @vscode/ripgrep-aix-${process.arch} is not installed`;

type Context = ChooseEngine.EngineContext;

/** Directories with an `rg` in each: a script, or a link to the real one. */
async function programs(scripts: Readonly<Record<string, string | 'real'>>): Promise<Tree> {
  const tree = await buildTree();
  for (const [folder, script] of Object.entries(scripts)) {
    await tree.add({[`${folder}/rg`]: script === 'real' ? {link: ripgrepProgram()} : `#!/bin/sh\n${script}\n`});
    if (script !== 'real') await chmod(tree.at(`${folder}/rg`), 0o755);
  }
  return tree;
}

const pathOf = (...folders: readonly string[]): {platform: NodeJS.Platform; variables: {PATH: string}} => ({
  platform,
  variables: {PATH: folders.join(':')},
});

describe('the engine [search.engine]', () => {
  test('is the ripgrep that came along', async () => {
    await using kernel = await searchingKernel();
    expect(await (await kernel.service('search')).info()).toEqual({
      name: 'bundled ripgrep',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      path: ripgrepProgram(),
      reason: 'It came with this program.',
    });
  });

  test('is ours when the settings say so', async () => {
    await using kernel = await searchingKernel({
      homeFiles: {'.gemini/settings.json': '{"tools": {"useRipgrep": false}}'},
    });
    expect(await (await kernel.service('search')).info()).toEqual({
      name: 'javascript',
      reason: 'The setting tools.useRipgrep is false.',
    });
  });

  test('is that of the system where none came along, and ours where there is none', async () => {
    await using kernel = await searchingKernel();
    await using tree = await programs({real: 'real', old: 'echo "ripgrep 12.1.1 (rev 1)"'});
    const choose = async (...folders: readonly string[]): Promise<unknown> => {
      const environment = {...pathOf(...folders), platform: 'aix'} as unknown as Context['environment'];
      return (await chooseEngine({environment, service: (name) => kernel.service(name)})).info;
    };
    const found = await findBundled({platform});
    expect(await choose(tree.at('old'), tree.at('real'))).toEqual({
      name: 'system ripgrep',
      version: 'program' in found && found.program.version,
      path: tree.at('real/rg'),
      reason: `It is on the PATH; ${noPackage}.`,
    });
    expect(await choose()).toEqual({
      name: 'javascript',
      reason: `There is no ripgrep: ${noPackage}; there is no rg on the PATH.`,
    });
    expect(await choose(tree.at('old'))).toEqual({
      name: 'javascript',
      reason: `There is no ripgrep: ${noPackage}; ${tree.at('old/rg')} is ripgrep 12.1.1, older than 13.`,
    });
  });
});

describe('an rg on the PATH [search.engine]', () => {
  const none = {missing: 'there is no rg on the PATH'};
  const scripts: readonly (readonly [string, string, string])[] = [
    ['is too old', 'echo "ripgrep 12.1.1 (rev 7cb2113b)"', ' is ripgrep 12.1.1, older than 13'],
    ['is something else', 'echo "Usage: rg <what>"', ' is no ripgrep'],
    ['says nothing', 'exit 0', ' is no ripgrep'],
    ['fails', 'echo "ripgrep 14.0.0"; exit 3', ' does not run: '],
    ['is killed', 'kill -9 $$', ' does not run: '],
    ['never answers', 'while :; do :; done', ' gives no answer'],
    ['will not be ended', 'trap "" TERM; while :; do :; done', ' gives no answer'],
    [
      'writes without end',
      'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
      ' does not run: ',
    ],
  ];
  test.each(scripts)('that %s is not used, and the next one is', async (_, script, reason) => {
    await using tree = await programs({bad: script, real: 'real'});
    expect(await findOnPath(pathOf(tree.at('bad')), [], 500)).toEqual({
      missing: expect.stringContaining(`${tree.at('bad/rg')}${reason}`),
    });
    expect(await findOnPath(pathOf(tree.at('bad'), tree.at('real')), [], 500)).toMatchObject({
      program: {path: tree.at('real/rg'), hasPcre: true},
    });
  });

  test('that cannot be run, or is a directory, or leads nowhere, is not used', async () => {
    await using tree = await programs({locked: 'exit 0'});
    await chmod(tree.at('locked/rg'), 0o644);
    await tree.add({'folder/rg': null, 'nowhere/rg': {link: 'gone'}, 'circle/rg': {link: 'rg'}, 'file': ''});
    expect(await findOnPath(pathOf(tree.at('locked')), [])).toEqual({
      missing: expect.stringMatching(/locked\/rg does not run: .*EACCES/),
    });
    expect(await findOnPath(pathOf(tree.at('folder')), [])).toEqual({
      missing: expect.stringMatching(/folder\/rg does not run: .*EACCES/),
    });
    expect(
      await findOnPath(pathOf(tree.at('nowhere'), tree.at('circle'), tree.at('missing'), tree.at('file')), []),
    ).toEqual(none);
  });

  test('in the workspace, or by a link to it, or by a way that is not absolute, is never run', async () => {
    await using tree = await programs({'project/bin': 'touch "$0.ran"', 'project/node_modules/.bin': 'touch "$0.ran"'});
    await tree.add({'to-project': {link: 'project'}, 'elsewhere/rg': {link: '../project/bin/rg'}, 'beside/x': ''});
    const folders = [
      tree.at('project/bin'),
      tree.at('project/node_modules/.bin'),
      tree.at('to-project/bin'),
      tree.at('beside/../project/bin'),
      `${tree.at('project')}//bin/`,
      tree.at('elsewhere'),
      'bin',
      './bin',
      '.',
      '',
    ];
    for (const folder of folders) expect(await findOnPath(pathOf(folder), [tree.at('project')])).toEqual(none);
    await tree.add({'project-2/rg': {link: ripgrepProgram()}});
    expect(await findOnPath(pathOf(...folders, tree.at('project-2')), [tree.at('project')])).toMatchObject({
      program: {path: tree.at('project-2/rg')},
    });
  });

  test('does not matter where there is no PATH', async () => {
    expect(await findOnPath({platform, variables: {}}, [])).toEqual(none);
    expect(await findOnPath(pathOf(''), [])).toEqual(none);
  });

  test('that is a link in the workspace to one outside is not run either', async () => {
    await using tree = await programs({outside: 'real'});
    await mkdir(tree.at('project'));
    await symlink(ripgrepProgram(), tree.at('project/rg'));
    expect(await findOnPath(pathOf(tree.at('project')), [tree.at('project')])).toEqual(none);
    expect(await findOnPath(pathOf(tree.at('outside')), [dirname(tree.path)])).toEqual(none);
  });
});

test.each([
  ['{}', 'bundled ripgrep'],
  ['{"tools": {"useRipgrep": false}}', 'javascript'],
])(
  'with the settings %s a search prints nothing, and no configuration of ripgrep changes it [search.engine]',
  async (settings, engine) => {
    await using tree = await buildTree({
      ripgreprc: '--files-without-match\n--max-count=1\n--debug\n--stats\n--ignore-case\n--glob=!a.txt\n',
    });
    const child = fork(fileURLToPath(new URL('./quiet-program.js', import.meta.url)), [settings], {
      env: {RIPGREP_CONFIG_PATH: join(tree.path, 'ripgreprc'), PATH: process.env['PATH']},
      silent: true,
      execArgv: [],
    });
    const written: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => written.push(text));
    const [[report], [code]] = await Promise.all([
      once(child, 'message').catch(() => [undefined]),
      once(child, 'close'),
    ]);
    const withoutProject = (lines: readonly string[]): readonly string[] => lines.map((line) => line.replace('~/', ''));
    const {said, ...rest} = (report ?? {said: []}) as {readonly said: readonly (readonly string[])[]};
    expect({
      ...rest,
      said: [[...withoutProject(said[0] ?? [])].sort(), withoutProject(said[1] ?? [])],
      written,
      code,
    }).toEqual({
      engine,
      said: [
        ['a.txt', 'b.txt'],
        ['---', 'File: a.txt', 'L1: needle', 'L2: needle', 'L3: needle', '---'],
      ],
      written: [],
      code: 0,
    });
  },
);
