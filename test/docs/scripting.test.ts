import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {readErrorTables} from '../helpers/error-tables.js';
import {checkout} from '../helpers/plugin-root.js';
import {calls, openScriptingPlace, says, type Said, type ScriptingPlace} from './scripting-place.js';

const page = await readFile(join(checkout, 'docs', 'scripting.md'), 'utf8');
const scripts = new Map(
  [...page.matchAll(/```sh script=(\S+)\n([^]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
);
const programs = Object.fromEntries(
  [...page.matchAll(/```md file=(\S+)\n([^]*?)```/g)].map(([, name = '', text = '']) => [name, text]),
);

const [, preparation = ''] = /```sh prepare\n([^]*?)```/.exec(page) ?? [];

interface Case {
  readonly answers: readonly Said[];
  readonly files?: Readonly<Record<string, string>>;
  /** Run before the script. */
  readonly before?: string;
  /** Run after it, when what it printed is not all. */
  readonly after?: string;
  readonly prints: string;
  readonly code?: number;
}

const app = {'app.js': '// TODO: check the sum\nexport const add = (a, b) => a + b;\n'};
const stage = 'echo more >> app.js && git add app.js';
const problem = JSON.stringify({problems: [{file: 'app.js', line: 2, text: 'Not tested.'}]});
const schemaOf = (name: string, properties: object): string => {
  const items = {type: 'object', required: Object.keys(properties), properties};
  return JSON.stringify({type: 'object', required: [name], properties: {[name]: {type: 'array', items}}});
};
const text = {type: 'string'};
const line = {type: 'integer'};
const edit = calls('replace', {file_path: 'app.js', instruction: 'rename', old_string: 'add', new_string: 'sum'});

const cases: Readonly<Record<string, Case>> = {
  'commit-message': {answers: [says('Add more')], before: stage, after: 'git log -1 --format=%s', prints: 'Add more\n'},
  jq: {answers: [says('Apache-2.0')], prints: 'Apache-2.0\n'},
  structured: {
    files: {'todos.schema.json': schemaOf('todos', {line, text})},
    answers: [says('```json\n{"todos": [{"line": 1, "text": "check the sum"}]}\n```')],
    prints: '1\tcheck the sum\n',
  },
  batch: {
    files: {'b.js': 'b'},
    answers: [says('It does something.')],
    after: 'cat app.js.summary b.js.summary',
    prints: 'It does something.\n'.repeat(2),
  },
  review: {
    files: {'review.schema.json': schemaOf('problems', {file: text, line, text})},
    before: `${stage} && git commit --quiet -m second`,
    answers: [says(problem)],
    prints: '::error file=app.js,line=2::Not tested.\n',
    code: 1,
  },
  hook: {
    before: `${stage} && echo '# comment' > message`,
    answers: [says('A draft')],
    after: 'cat message',
    prints: 'A draft\n# comment\n',
  },
  cron: {
    answers: [says('Nothing.')],
    after: 'cat "$HOME/daily.jsonl"',
    prints: '{"outcome":"done","cost":0.0011,"response":"Nothing.","error":null}\n',
  },
  container: {
    answers: [calls('write_file', {file_path: 'a.txt', content: 'x'}), says('None.')],
    after: 'ls',
    prints: 'None.\napp.js\nexplain\n',
  },
  'exit-codes': {
    answers: [[{kind: 'failed', failure: {kind: 'quota', message: 'Slowly.', isFinal: true}}]],
    prints: 'try again later\n',
  },
  'changed-files': {
    answers: [edit, says('Done.')],
    after: 'git log -1 --format=%s --name-only',
    prints: 'Rename add to sum\n\napp.js\n',
  },
  progress: {answers: [calls('read_file', {file_path: 'app.js'}), says('None.')], prints: '… read_file\ndone\n'},
  refused: {
    answers: [calls('run_shell_command', {command: 'rm -rf logs'}), says('I may not.')],
    prints: 'run_shell_command rm -rf logs\n',
  },
  cost: {answers: [says('Fine.')], prints: '0.0022\n'},
  conversation: {answers: [says('It adds.')], prints: 'It adds.\n'},
  program: {answers: [says('It adds.')], prints: 'It adds.\n'},
  timeout: {
    answers: [calls('write_file', {file_path: 'app.test.js', content: 'x'}), says('Done.')],
    prints: 'done: 1 files\n',
  },
};

test('the page has fifteen scripts or more, and each is run here', () => {
  expect([...scripts.keys()].sort()).toEqual(Object.keys(cases).sort());
  expect(scripts.size).toBeGreaterThanOrEqual(15);
});

test('the page has every exit code that an error ends with [headless.outcome]', async () => {
  const known = new Set(
    [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, codes = '']) => codes.split(', ').map(Number)),
  );
  const declared = [...(await readErrorTables()).values()].flatMap((table) =>
    Object.values(table).map(({exit = 1}) => exit),
  );
  expect([...new Set(declared)].filter((exit) => !known.has(exit))).toEqual([]);
});

async function runCase(
  place: ScriptingPlace,
  name: string,
  {before = ':', after}: Case,
): Promise<{code: number | null; prints: string}> {
  const prepared = await place.run(`${preparation}${before}`);
  expect(prepared).toMatchObject({code: 0});
  const {code, stdout, stderr} = await place.run(scripts.get(name) ?? '');
  expect(stderr).not.toMatch(/ {4}at |jq: error|fatal:/);
  return {code, prints: stdout + (after === undefined ? '' : (await place.run(after)).stdout)};
}

test.each(Object.entries(cases))(
  'the script %s does what the page says [docs.scripts]',
  async (name, one) => {
    await using place = await openScriptingPlace({files: {...app, ...programs, ...one.files}, answers: one.answers});
    expect(await runCase(place, name, one)).toEqual({code: one.code ?? 0, prints: one.prints});
  },
  60_000,
);

test('the git hook does not stop a commit when no model answers [docs.scripts]', async () => {
  await using place = await openScriptingPlace({files: app, answers: []});
  const prepared = {
    ...cases['hook'],
    answers: [],
    prints: '',
    before: `${stage} && echo '# comment' > message`,
    after: 'cat message',
  };
  expect(await runCase(place, 'hook', prepared)).toEqual({code: 0, prints: '# comment\n'});
}, 60_000);
