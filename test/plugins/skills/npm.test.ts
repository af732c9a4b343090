import {mkdir, readFile, writeFile} from 'node:fs/promises';
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
  const {skills} = JSON.parse(await readFile(join(home, '.gemini', 'skills', 'skills.lock.json'), 'utf8')) as {
    skills: object;
  };
  expect(skills).toMatchObject({review: {source: 'npm:@team/review@1.0.0', version: '1.0.0'}});
  const lost = await run('install', 'npm:@team/nothing', '--consent', '--json');
  expect(JSON.parse(lost.stdout)).toMatchObject({error: {code: 'SKILL_INSTALL_FAILED'}});
  const option = await run('install', 'npm:--version', '--consent', '--json');
  expect(JSON.parse(option.stdout)).toMatchObject({error: {code: expect.stringMatching(/^SKILL_/)}});
}, 60_000);

test('configuration of npm that others put into the temporary folder does not count [skills.install]', async () => {
  await using folder = await makeFolder();
  await using registry = await serveRegistry();
  const [home, temporary] = [join(folder.path, 'home'), join(folder.path, 'tmp')];
  for (const path of [home, temporary]) await mkdir(path);
  registry.publish({name: 'review', version: '1.0.0', manifest: null, files: {'SKILL.md': skill('review')}});
  await writeFile(join(home, '.npmrc'), `registry=${registry.url}\n`);
  await writeFile(join(temporary, 'package.json'), '{}');
  await writeFile(join(temporary, '.npmrc'), 'registry=http://127.0.0.1:9/\n');
  const done = await runGemini(['skills', 'install', 'npm:review', '--consent'], {
    cwd: folder.path,
    home,
    variables: {TMPDIR: temporary, npm_config_cache: join(folder.path, 'cache')},
  });
  expect({code: done.code, stderr: done.stderr}).toMatchObject({code: 0});
}, 60_000);
