import {mkdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder} from '../../helpers/make-plugin.js';
import {serveRegistry} from '../../helpers/registry.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {skill} from './scene.js';

test("a skill comes from the person's own registry, and no script of its package runs [skills.install]", async () => {
  await using folder = await makeFolder();
  await using registry = await serveRegistry();
  const home = join(folder.path, 'home');
  await mkdir(home);
  const run = (...words: readonly string[]): Promise<RunResult> =>
    runGemini(['skills', ...words], {
      cwd: folder.path,
      home,
      variables: {npm_config_registry: registry.url, npm_config_cache: join(folder.path, 'cache')},
    });
  const trap = join(folder.path, 'ran');
  registry.publish({
    name: '@team/review',
    version: '1.0.0',
    manifest: null,
    pack: {scripts: {install: `touch ${trap}`, prepare: `touch ${trap}`, prepack: `touch ${trap}`}},
    files: {'SKILL.md': skill('review', 'Reviews.', 'Be exact.'), 'notes.md': 'Short.'},
  });
  const done = await run('install', 'npm:@team/review@1.0.0', '--consent');
  expect({code: done.code, stderr: done.stderr}).toMatchObject({code: 0});
  const installed = join(home, '.gemini', 'skills', 'review');
  expect(await readFile(join(installed, 'SKILL.md'), 'utf8')).toContain('Be exact.');
  expect(await readFile(join(installed, 'notes.md'), 'utf8')).toBe('Short.');
  await expect(readFile(trap)).rejects.toThrow('ENOENT');
  const lost = await run('install', 'npm:@team/nothing', '--consent', '--json');
  expect(JSON.parse(lost.stdout)).toMatchObject({error: {code: 'SKILL_INSTALL_FAILED'}});
  const option = await run('install', 'npm:--version', '--consent', '--json');
  expect(JSON.parse(option.stdout)).toMatchObject({error: {code: expect.stringMatching(/^SKILL_/)}});
}, 60_000);
