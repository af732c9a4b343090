import {execFile} from 'node:child_process';
import {mkdtemp, readFile, readdir, realpath, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {isolate} from '../../helpers/run-gemini.js';

const scripts = join(checkout, 'plugins', 'skills', 'skills', 'skill-creator', 'scripts');

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function place(): Promise<{readonly cwd: string; run(script: string, ...words: string[]): Promise<Ran>}> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'gemini-creator-')));
  return {
    cwd,
    run: (script, ...words) =>
      promisify(execFile)(process.execPath, [join(scripts, script), ...words], {cwd, env: isolate(cwd)}).then(
        ({stdout, stderr}) => ({code: 0, stdout, stderr}),
        (error: Ran) => error,
      ),
  };
}

test('scripts of skill-creator create, check and pack a skill [skills.creator]', async () => {
  const {cwd, run} = await place();
  expect(await run('init_skill.cjs', 'notes', '--path', cwd)).toMatchObject({code: 0, stderr: ''});
  const first = await run('validate_skill.cjs', 'notes');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Found unresolved TODO')]);
  const early = await run('package_skill.cjs', join(cwd, 'notes'), cwd);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('The skill is not packed: ')]);
  const file = join(cwd, 'notes', 'SKILL.md');
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('TODO', 'done'));
  expect((await run('validate_skill.cjs', 'notes')).stdout).toContain('Skill is valid!');
  expect(await run('package_skill.cjs', 'notes', cwd)).toMatchObject({code: 0});
  expect(await readdir(cwd)).toContain('notes.skill');
}, 60_000);

test.each<readonly [string, readonly string[], string]>([
  ['init_skill.cjs', ['../up', '--path', '.'], 'Skill name cannot contain path separators.'],
  ['init_skill.cjs', [], 'Usage: '],
  ['validate_skill.cjs', ['../../../etc/passwd'], 'Path traversal detected.'],
  ['package_skill.cjs', ['"; touch here; #'], 'The skill'],
])('%s %j is refused, and nothing runs [skills.creator]', async (script, words, sentence) => {
  const {cwd, run} = await place();
  const ran = await run(script, ...words);
  expect([ran.code, `${ran.stderr}${ran.stdout}`]).toEqual([1, expect.stringContaining(sentence)]);
  expect((await readdir(cwd)).filter((name) => !name.startsWith('.'))).toEqual([]);
});

test('the skills of the product are in its package [skills.creator]', async () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const {stdout} = await promisify(execFile)('npm', words, {cwd: checkout, maxBuffer: 1 << 26});
  const [{files = []} = {}] = JSON.parse(stdout) as readonly {files: readonly {readonly path: string}[]}[];
  const paths = files.map(({path}) => path).filter((path) => path.startsWith('plugins/skills/skills/'));
  expect(paths).toEqual(expect.arrayContaining(['plugins/skills/skills/skill-creator/SKILL.md']));
  expect(paths).toHaveLength(5);
}, 60_000);
