import {mkdir, symlink, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {expect, test} from '@jest/globals';
import {findEvals} from '#plugins/evals/dist/format/find-evals.js';
import {readEval} from '#plugins/evals/dist/format/read-eval.js';
import {makeFolder, type Folder} from '../../helpers/make-plugin.js';
import {openEvals} from './scene.js';

async function write(files: Readonly<Record<string, string>>): Promise<Folder> {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, path)), {recursive: true});
    await writeFile(join(folder.path, path), text);
  }
  return folder;
}

test.each([
  ['', 'it has neither prompt nor [call].'],
  ['prompt = "a"\n[call]\ntool = "x"', 'it has both prompt and [call].'],
  ['prompt = "  "', 'prompt is blank.'],
  ['prompt = 3', 'prompt must be string, not 3.'],
  ['prompt = "a', 'it is not TOML: '],
  ['prompt = "a"\nprompts = 1', 'has an unknown key "prompts".'],
  ['prompt = "a"\nmode = "yolo"', 'mode must be one of "plan", "default", "auto_edit", not "yolo".'],
  ['prompt = "a"\nrepeat = 0', 'repeat must be >= 1, not 0.'],
  ['prompt = "a"\npass_rate = 2', 'pass_rate must be <= 1, not 2.'],
  ['prompt = "a"\nproject = "nix"', 'project names "nix", which is not a folder beside it.'],
  ['prompt = "a"\nproject = "../x"', 'project names "../x", which leads outside'],
  ['prompt = "a"\npolicy = "nix.toml"', 'policy names "nix.toml", which cannot be read'],
  ['prompt = "a"\npolicy = "a.json"', 'policy names "a.json", which is not a .toml file.'],
  ['prompt = "a"\n[files]\n"/etc/x" = "y"', 'files names "/etc/x", which is an absolute path.'],
  ['prompt = "a"\n[limits]\nturns = 0.5', 'limits.turns must be integer, not 0.5.'],
  ['prompt = "a"\n[expect.files."a"]\nabsent = true\nequal = "x"', 'is absent, and cannot have equal.'],
  ['prompt = "a"\n[expect.files."a"]\nequal = ""\nequal_file = "x"', 'has both equal and equal_file.'],
  ['prompt = "a"\n[expect.files."../a"]\nabsent = true', 'expect.files names "../a", which leads outside'],
  ['prompt = "a"\n[expect.files."a"]\npattern = "("', 'expect.files."a".pattern is "(", which is not a pattern'],
  ['prompt = "a"\n[[expect.calls]]\nleast = 1', 'expect.calls.0 lacks "tool".'],
  ['prompt = "a"\n[[expect.calls]]\ntool = "x"\ninput = {a = "["}', 'expect.calls.0.input.a is "[", which is not a'],
  ['prompt = "a"\n[[expect.calls]]\ntool = "x"\nleast = 3\nmost = 2', 'expect.calls.0 has least = 3, which is more'],
  [
    'prompt = "a"\n[expect.answer]\nschema = "s.json"',
    'expect.answer.schema names "s.json", which is not a JSON Schema',
  ],
  ['prompt = "a"\n[judge]\nmodel = "m"\nrubric = "r"\ncases = []', 'judge.cases must NOT have fewer than 2 items'],
  [
    'prompt = "a"\n[judge]\nmodel = "m"\nrubric = "r"\ncases = [{answer = "a", pass = true}, ' +
      '{answer = "b", pass = true}]',
    'judge.cases needs an answer that passes and one that does not.',
  ],
])('%j is refused with its file, key and value [evals.format]', async (text, sentence) => {
  await using place = await write({'eval.toml': text, 's.json': '{"type": 3}'});
  const folder = place.path;
  await expect(readEval(folder, 'a')).rejects.toMatchObject({
    ...{code: 'EVAL_INVALID', message: expect.stringContaining(sentence)},
    hint: expect.any(String),
  });
  await expect(readEval(folder, 'a')).rejects.toMatchObject({
    message: expect.stringContaining(join(folder, 'eval.toml')),
  });
});

test('a project is the folder beside the file and its texts, without links [evals.format]', async () => {
  const files = {
    'eval.toml': 'prompt = "a"\npolicy = "rules/a.toml"\n[files]\n"a.txt" = "mine"',
    'project/a.txt': 'theirs',
    'project/sub/b.txt': 'b',
    'rules/a.toml': '',
  };
  await using place = await write(files);
  const folder = place.path;
  const one = await readEval(folder, 'a');
  const texts = (list: typeof one.project): readonly string[] =>
    list.map(({path, bytes}) => `${path}=${new TextDecoder().decode(bytes)}`);
  expect({project: texts(one.project), policy: texts(one.policy)}).toEqual({
    ...{project: ['sub/b.txt=b', 'a.txt=mine'], policy: ['rules-a.toml=']},
  });
  await writeFile(join(folder, 'project/sub/b.txt'), 'c');
  const changed = await readEval(folder, 'a');
  expect(changed.digest === one.digest).toBe(false);
  await symlink('/etc/passwd', join(folder, 'project', 'link'));
  await expect(readEval(folder, 'a')).rejects.toMatchObject({message: expect.stringContaining('link is a link.')});
});

test('evaluations are found by their folders, not inside each other, and not through links [evals.format]', async () => {
  const toml = 'prompt = "a"';
  await using place = await write({
    ...{'b/one/eval.toml': toml, 'b/one/inner/eval.toml': toml, 'a/eval.toml': toml},
    ...{'project/eval.toml': toml, 'node_modules/x/eval.toml': toml},
  });
  const folder = place.path;
  await symlink(join(folder, 'a'), join(folder, 'linked'));
  expect((await findEvals(folder)).map(({name}) => name)).toEqual(['a', 'b/one']);
  expect((await findEvals(folder, 'one')).map(({name}) => name)).toEqual(['b/one']);
  expect(await findEvals(folder, 'nix')).toEqual([]);
});

test('list reads without trust, and names what each needs [evals.list]', async () => {
  await using place = await openEvals({
    'a/b':
      'description = "About it."\nprompt = "x"\nrepeat = 3\nallow = ["web_fetch"]\n[expect.command]\nrun = "npm test"',
    bad: 'prompt = 3',
  });
  const variables = {GEMINI_CLI_TRUST_WORKSPACE: ''};
  const {code, stdout} = await place.run(['evals', 'list', 'a/', '--json'], {variables});
  expect({code, listed: JSON.parse(stdout) as object}).toEqual({
    code: 0,
    listed: [
      {
        ...{name: 'a/b', description: 'About it.', models: [], repeat: 3},
        needs: ['run_shell_command(npm test)', 'web_fetch'],
      },
    ],
  });
  expect(await place.run(['evals', 'list'])).toMatchObject({
    ...{code: 42, stderr: expect.stringContaining('prompt must be string, not 3.')},
  });
});
