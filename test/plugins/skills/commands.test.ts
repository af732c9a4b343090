import {mkdir, mkdtemp, readFile, readlink, realpath, rm, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkSkill} from '#plugins/skills/dist/write/check-skill.js';
import {readCases} from '@gemini-kernel/plugin-agent/cases';
import {invalidCase} from '#plugins/skills/dist/write/skill-case.js';
import {createSkill} from '#plugins/skills/dist/write/create-skill.js';
import {runGemini, type RunResult} from '../../helpers/run-gemini.js';
import {skill} from './scene.js';

interface Place extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  run(...words: readonly string[]): Promise<RunResult>;
  json(...words: readonly string[]): Promise<unknown>;
}

async function makePlace(files: Readonly<Record<string, string>>): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-skills-')));
  const [home, project] = [join(root, 'home'), join(root, 'project')];
  await mkdir(project, {recursive: true});
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), text);
  }
  const run = (...words: readonly string[]): Promise<RunResult> =>
    runGemini(['skills', ...words], {cwd: project, home});
  return {
    home,
    project,
    run,
    async json(...words) {
      return JSON.parse((await run(...words, '--json')).stdout);
    },
    [Symbol.asyncDispose]: () => rm(root, {recursive: true, force: true}),
  };
}

test('list, show, disable and enable [skills.commands]', async () => {
  await using place = await makePlace({
    'home/.gemini/skills/one/SKILL.md': skill('one'),
    'project/.gemini/skills/two/skill.md': skill('two'),
  });
  const {stdout} = await place.run('list');
  expect(stdout).toContain('one [Enabled] (yours)\n  About one.\n');
  expect(stdout).toContain('two/skill.md has to be named SKILL.md, in this case.');
  expect(stdout).not.toContain('skill-creator');
  expect((await place.run('disable', 'One')).stdout).toContain('The skill "one" is disabled in ');
  expect(JSON.parse(await readFile(join(place.home, '.gemini', 'settings.json'), 'utf8'))).toEqual({
    skills: {disabled: ['one']},
  });
  expect((await place.run('enable', 'one')).stdout).toContain('is enabled in ');
  expect(await place.json('list')).toMatchObject({skills: [{name: 'one', enabled: true}]});
  expect(await place.run('show', 'none')).toMatchObject({code: 42, stderr: expect.stringContaining('no skill "none"')});
});

test('pack, install, link and uninstall [skills.commands] [skills.install]', async () => {
  await using place = await makePlace({
    'project/one/SKILL.md': skill('one', 'Does one thing well. Use it when one thing is to be done.'),
    'project/one/scripts/a.sh': '#!/bin/sh\n',
    'project/one/tests/a.toml': 'prompt = "x"\n',
  });
  expect(await place.json('pack', 'one')).toMatchObject({name: 'one', files: ['SKILL.md', 'scripts/a.sh']});
  expect(await place.json('install', 'one.skill')).toMatchObject({error: {code: 'SKILL_NOT_AGREED', exit: 1}});
  const asked = await place.run('install', 'one.skill');
  expect(asked.stderr).toMatch(/scripts +scripts\/a\.sh\n.*pass --consent/s);
  expect((await place.run('install', 'one.skill', '--consent')).stdout).toContain('Installed the skill "one"');
  expect((await place.run('show', 'one')).stdout).toMatch(/origin +yours\n.*from +\/.*one\.skill.*Do one\./s);
  expect((await place.run('uninstall', 'one')).stdout).toContain('Removed the skill "one"');
  expect((await place.run('link', 'one', '--consent')).stdout).toContain('Linked the skill "one"');
  expect(await readlink(join(place.home, '.gemini', 'skills', 'one'))).toBe(join(place.project, 'one'));
});

test('check names everything that is wrong [skills.commands]', async () => {
  await using place = await makePlace({
    'project/one/SKILL.md': skill('One', 'Short.', 'TODO, see references/gone.md.'),
    'project/one/references/extra.md': 'x',
    'project/two/skill.md': skill('two'),
  });
  await symlink('/etc', join(place.project, 'one', 'etc'));
  const {problems} = await checkSkill(join(place.project, 'one'));
  expect(problems.map(({kind, sentence}) => `${kind}: ${sentence}`)).toEqual([
    'invalid: The name "One" needs lower-case letters, digits and single hyphens, at most 64 characters.',
    'advice: The description should say what the skill does and when to use it.',
    'advice: SKILL.md still has a TODO.',
    'invalid: etc is a link that leads out, to /etc; skills contain files only.',
    'advice: SKILL.md does not mention references/extra.md.',
    'advice: SKILL.md mentions references/gone.md, which does not exist.',
    'advice: There are no tests. Add a case such as tests/basic.toml for `gemini skills test`.',
  ]);
  expect((await checkSkill(join(place.project, 'two'))).problems).toEqual([
    {kind: 'broken', sentence: 'skill.md has to be named SKILL.md.'},
  ]);
  await expect(checkSkill(join(place.project, 'none'))).rejects.toMatchObject({code: 'SKILL_INVALID'});
});

test('new writes a skill that can be found, and overwrites nothing [skills.commands]', async () => {
  await using place = await makePlace({});
  const environment = {cwd: place.project, home: place.home};
  const wish = {name: 'one', scope: 'workspace', environment} as const;
  const {folder} = await createSkill({...wish, description: 'Does "one": well. Use it when needed, for example now.'});
  expect((await checkSkill(folder)).problems.map(({kind}) => kind)).toEqual(['advice']);
  await expect(createSkill(wish)).rejects.toMatchObject({code: 'SKILL_INVALID'});
  await expect(createSkill({...wish, name: '../x'})).rejects.toMatchObject({code: 'SKILL_INVALID'});
});

test('test runs cases against recorded answers [skills.test]', async () => {
  const says = (...events: readonly object[]): string =>
    JSON.stringify({method: 'stream', model: 'recorded', response: [...events, {kind: 'end', reason: 'stop'}]});
  const call = (id: string, name: string, input: object): object => ({kind: 'call', id, name, input});
  await using place = await makePlace({
    'project/one/SKILL.md': skill('one'),
    'project/one/tests/good.toml':
      'prompt = "Do one."\nrecording = "good.jsonl"\nexpect_calls = ["activate_skill", "write_file"]\n' +
      '[files]\n"a.txt" = "alpha"\n[expect_files]\n"out.txt" = "done"\n"a.txt" = "alpha"\n',
    'project/one/tests/good.jsonl': [
      says(call('1', 'activate_skill', {name: 'one'})),
      says(call('2', 'write_file', {file_path: 'out.txt', content: 'all done'})),
      says({kind: 'text', text: 'Done.'}),
    ].join('\n'),
    'project/one/tests/wrong.toml':
      'prompt = "Do one."\nrecording = "wrong.jsonl"\nexpect_calls = ["activate_skill"]\n[expect_files]\n"x" = "y"\n',
    'project/one/tests/wrong.jsonl': says({kind: 'text', text: 'No.'}),
    'project/none/SKILL.md': skill('none'),
    'project/odd/SKILL.md': skill('odd'),
    'project/odd/tests/a.toml': 'prompt = "x"\n[files]\n"../x" = "y"\n',
  });
  const tested = (await place.json('test', 'one')) as {readonly cases: readonly unknown[]};
  expect(tested).toMatchObject({name: 'one', passed: 1, failed: 1});
  expect(tested.cases).toEqual([
    {name: 'good', passed: true, faults: [], calls: ['activate_skill', 'write_file']},
    {
      name: 'wrong',
      passed: false,
      faults: ['activate_skill was not called.', expect.stringMatching(/^x cannot be read: /)],
      calls: [],
    },
  ]);
  expect(await readCases(join(place.project, 'none', 'tests'), invalidCase)).toEqual([]);
  await expect(readCases(join(place.project, 'odd', 'tests'), invalidCase)).rejects.toMatchObject({
    code: 'SKILL_INVALID',
    message: expect.stringContaining('leads outside'),
  });
});
