import {existsSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {git, makeRepository, openFleet, OPEN, resultsOf, RUN, writes} from './scene.js';

test('each repository gets a branch with what was changed, and the same command does nothing again [fleet.run]', async () => {
  await using place = await openFleet();
  const first = await place.run([...RUN, ...OPEN]);
  expect(first).toMatchObject({code: 0, stdout: expect.stringContaining('3 of 3 done; 72 tokens.')});
  const lines = await resultsOf(place);
  expect(lines.map(({row, status, attempts, tokens, files}) => ({row, status, attempts, tokens, files}))).toEqual(
    ['a', 'b', 'c'].map((name) => ({
      ...{row: {repository: join(place.project, name)}, status: 'done', attempts: 1, tokens: 24, files: ['new.txt']},
    })),
  );
  const [line] = lines;
  git(join(place.project, 'a'), 'apply', '--check', writeTemporary(place.project, line?.patch ?? ''));
  const mirrors = join(place.home, '.gemini-fleets', 'mirrors');
  const mirror = readdirSync(mirrors).find(
    (name) => name.endsWith('.git') && hasBranch(join(mirrors, name), line?.branch),
  );
  expect(git(join(mirrors, mirror ?? ''), 'show', `${line?.branch ?? ''}:new.txt`)).toBe('made\n');
  expect(readdirSync(join(place.home, '.gemini-fleets', 'work', 'repos'))).toEqual([]);
  const asked = place.server.requests.length;
  const second = await place.run([...RUN, ...OPEN]);
  expect(second).toMatchObject({code: 0, stdout: expect.stringContaining('0 new tasks, 3 known.')});
  expect(place.server.requests).toHaveLength(asked);
});

test('a repository brings nothing along unless the plan trusts it, and loses nothing of it [fleet.trust]', async () => {
  await using place = await openFleet({}, []);
  const files = {'README.md': '# x\n', '.env': 'A=1\n', '.gemini/settings.json': '{"hooks": {"BeforeModel": 1}}'};
  makeRepository(
    join(place.project, 'x'),
    {...files, 'sub/.GEMINI/commands/c.toml': 'prompt = "x"\n', 'own/settings.json': '{}'},
    {'sub/.agents': '../own', '.Env.local': 'own/settings.json'},
  );
  writeFileSync(join(place.project, 'repos.txt'), 'x\n');
  expect(await place.run([...RUN, ...OPEN, '--keep'])).toMatchObject({code: 0});
  const [line] = await resultsOf(place);
  expect(line).toMatchObject({status: 'done', files: ['new.txt']});
  const [name = ''] = readdirSync(join(place.home, '.gemini-fleets', 'work', 'repos'));
  const checkout = join(place.home, '.gemini-fleets', 'work', 'repos', name);
  expect(
    ['README.md', 'new.txt', '.env', '.gemini', 'sub', '.Env.local'].filter((one) => existsSync(join(checkout, one))),
  ).toEqual(['README.md', 'new.txt']);
});

test('rows fill the prompt, and one repository serves many of them [fleet.rows]', async () => {
  const prompts: string[] = [];
  await using place = await openFleet({
    script: ({messages}) => {
      prompts.push(...messages.flatMap(({pieces}) => pieces.flatMap((one) => (one.kind === 'text' ? [one.text] : []))));
      return says('Nothing to do.');
    },
  });
  writeFileSync(join(place.project, 'issues.csv'), 'number,title\n1,"A, ""quoted"" one"\n2,Two\n');
  const words = ['--prompt', 'Fix #{{number}}: {{title}}', '--over', 'issues.csv', '--repository', 'a'];
  expect(await place.run(['fleet', 'run', ...words, '--model', 'model-a', ...OPEN])).toMatchObject({code: 0});
  expect(prompts.join('\n')).toMatch(/Fix #1: A, "quoted" one/);
  const lines = await resultsOf(place, 'issues');
  expect(lines.map(({answer, files}) => ({answer, files}))).toEqual(
    Array.from({length: 2}, () => ({answer: 'Nothing to do.', files: []})),
  );
});

test('at the budget it pauses and says what is left; a higher one continues [fleet.budget]', async () => {
  await using place = await openFleet();
  const first = await place.run([...RUN, ...OPEN, '--jobs', '1', '--tokens', '30']);
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 of 3 done, 2 waiting; 36 of 30 tokens.'),
    stderr: expect.stringContaining('The budget is used up and 2 tasks wait.'),
  });
  const second = await place.run([...RUN, ...OPEN, '--tokens', '1k', '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({stopped: 'empty', done: 3});
});

test('what needs a question is refused, and listed with what would allow it [fleet.refused]', async () => {
  await using place = await openFleet({
    script: (request) =>
      request.messages.at(-1)?.pieces.some(({kind}) => kind === 'result')
        ? says('Could not.')
        : callsTools(['run_shell_command', {command: 'make it'}]),
  });
  expect(await place.run([...RUN, ...OPEN])).toMatchObject({code: 0});
  const {stdout} = await place.run(['fleet', 'results', '--refused']);
  expect(stdout).toMatch(/^3 times {2}run_shell_command/m);
  expect(stdout).toContain('allow = ["run_shell_command(make it)"]');
});

test('tasks that fail in the same way pause the fleet before all of them do [fleet.alike]', async () => {
  const names = Array.from({length: 12}, (_, index) => `r${index}`);
  await using place = await openFleet({script: () => ({refusal: {status: 403}})}, names);
  const {code, stdout} = await place.run([...RUN, ...OPEN, '--jobs', '1', '--json']);
  expect({code, ...(JSON.parse(stdout) as object)}).toMatchObject({code: 1, stopped: 'paused', failed: 5, waiting: 7});
  place.server.script(writes);
  await place.run(['fleet', 'retry']);
  const again = await place.run([...RUN, ...OPEN, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({stopped: 'empty', done: 12, failed: 0});
});

test('a task that fills the disk is ended, and its files are removed [fleet.disk]', async () => {
  const command = 'head -c 30000000 /dev/zero > big; sleep 60';
  await using place = await openFleet({script: () => callsTools(['run_shell_command', {command}])}, ['a']);
  writeFileSync(
    join(place.project, 'plan.toml'),
    'name = "big"\nprompt = "x"\nover = "repos.txt"\nmodel = "model-a"\nallow = ["run_shell_command"]\n' +
      '[limits]\ntask_disk = "20MB"\n',
  );
  expect(await place.run(['fleet', 'run', 'plan.toml', ...OPEN])).toMatchObject({code: 1});
  expect(await resultsOf(place, 'big')).toMatchObject([
    {status: 'failed', attempts: 1, error: {code: 'TASK_DISK', message: expect.stringContaining('more than 20 MB')}},
  ]);
  expect(readdirSync(join(place.home, '.gemini-fleets', 'work', 'big'))).toEqual([]);
});

test('what a repository ignores is not committed, and named [fleet.ignored]', async () => {
  await using place = await openFleet({}, []);
  makeRepository(join(place.project, 'a'), {'README.md': '# a\n', '.gitignore': '*.txt\n'});
  writeFileSync(join(place.project, 'repos.txt'), 'a\n');
  expect(await place.run([...RUN, ...OPEN])).toMatchObject({code: 0});
  const [line] = await resultsOf(place);
  expect(line).toMatchObject({status: 'done', files: [], ignored: ['new.txt']});
  const {stdout} = await place.run(['fleet', 'explain', line?.id.slice(0, 8) ?? '']);
  expect(stdout).toContain('new.txt: git ignores it there');
});

test('limits that a plan has now count for tasks that failed by those before [fleet.changed]', async () => {
  await using place = await openFleet({}, ['a']);
  const write = (turns: number): void =>
    writeFileSync(
      join(place.project, 'plan.toml'),
      `name = "turns"\nprompt = "Write a file"\nover = "repos.txt"\n[limits]\ntask_turns = ${turns}\n`,
    );
  write(1);
  expect(await place.run(['fleet', 'run', 'plan.toml', ...OPEN])).toMatchObject({code: 1});
  expect(await resultsOf(place, 'turns')).toMatchObject([{status: 'failed', error: {code: 'TURNS_EXHAUSTED'}}]);
  write(5);
  await place.run(['fleet', 'retry']);
  const {code, stdout} = await place.run(['fleet', 'run', 'plan.toml', ...OPEN, '--json']);
  expect({code, ...(JSON.parse(stdout) as object)}).toMatchObject({code: 0, added: 0, done: 1});
});

test('a repository that cannot be asked costs its row only, and the same command adds it later [fleet.left]', async () => {
  await using place = await openFleet({}, ['a', 'b']);
  rmSync(join(place.project, 'b'), {recursive: true});
  const first = await place.run([...RUN, ...OPEN, '--json']);
  const left = [{row: 2, reason: expect.stringMatching(/^git ls-remote failed in .*b'? does not/s)}];
  expect({code: first.code, ...(JSON.parse(first.stdout) as object)}).toMatchObject({code: 1, added: 1, done: 1, left});
  const {stderr} = await place.run([...RUN, ...OPEN]);
  expect(stderr).toContain('Row 2 is left out: git ls-remote failed');
  expect(stderr).toContain('1 row was left out. The same command adds what can be read.');
  makeRepository(join(place.project, 'b'), {'README.md': '# b\n'});
  const again = await place.run([...RUN, ...OPEN, '--json']);
  expect({code: again.code, ...(JSON.parse(again.stdout) as object)}).toMatchObject({
    code: 0,
    added: 1,
    done: 2,
    left: [],
  });
});

test('repositories that are broken fail alone, however often each is tried [fleet.alike]', async () => {
  await using place = await openFleet({}, ['a', 'b', 'c', 'd']);
  // `c` lacks something of its past only, as a partial clone does.
  makeRepository(join(place.project, 'c'), {'README.md': '# changed\n'});
  for (const [name, at] of [
    ['a', 'HEAD'],
    ['b', 'HEAD'],
    ['c', 'HEAD~1'],
  ] as const) {
    const blob = git(join(place.project, name), 'rev-parse', `${at}:README.md`).trim();
    rmSync(join(place.project, name, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  }
  const {code, stdout} = await place.run([...RUN, ...OPEN, '--jobs', '1', '--json']);
  expect({code, ...(JSON.parse(stdout) as object)}).toMatchObject({code: 1, stopped: 'empty', failed: 2, done: 2});
  const lines = await resultsOf(place);
  expect(lines.slice(0, 2)).toMatchObject([1, 2].map(() => ({attempts: 3, error: {code: 'REPOSITORY_FAILED'}})));
});

test.each([
  ['no plan', [], 'There is no plan.'],
  ['a plan that is not there', ['none.toml'], 'none.toml: it cannot be read'],
  ['a key that plans do not have', ['bad.toml'], 'bad.toml: '],
  ['a column that rows do not have', ['-p', '{{x}}', '--over', 'repos.txt'], 'row 1: the row has no value for {{x}}.'],
  ['money without a price', ['-p', 'x', '--over', 'repos.txt', '--budget', '5usd'], 'no price of a model is set'],
  [
    'money without the price of its model',
    ['-p', 'x', '--over', 'repos.txt', '--budget', '5usd', '-m', 'gemini:m'],
    'the price of gemini:m is not set',
  ],
  ['a budget that is no money', ['-p', 'x', '--over', 'repos.txt', '--budget', 'lots'], '--budget: "lots"'],
  ['rows that are no JSON', ['-p', 'x', '--over', 'bad.jsonl'], 'bad.jsonl:2: this line is no JSON.'],
  ['an open quote', ['-p', 'x', '--over', 'bad.csv'], 'a quote that is not closed'],
  ['no rows', ['-p', 'x', '--over', 'empty.txt'], 'there is no row in it.'],
  ['an address with a password', ['-p', 'x', '--over', 'secret.txt'], 'has a password.'],
  ['a row that is too large', ['-p', '{{text}}', '--over', 'long.jsonl'], 'row 2: its prompt and values take 80'],
  ['a repository that is not there', ['-p', 'x', '--over', 'gone.txt'], 'git ls-remote failed'],
] as const)('%s is named [fleet.faults]', async (what, words, sentence) => {
  await using place = await openFleet();
  const files = {
    'bad.toml': 'promt = "x"\n',
    'bad.jsonl': '{"a": 1}\n{"a"\n',
    'bad.csv': 'a\n"x\n',
    'empty.txt': '# none\n',
    'secret.txt': 'https://me:word@127.0.0.1/x.git\n',
    'gone.txt': 'nowhere\n',
    'long.jsonl': `{"text": "a"}\n{"text": "${'x'.repeat(40_000)}"}\n`,
  };
  Object.entries(files).forEach(([name, text]) => writeFileSync(join(place.project, name), text));
  const {stdout, code} = await place.run(['fleet', 'run', ...words, '--yes', '--json']);
  const error = {code: what === 'a repository that is not there' ? 'REPOSITORY_FAILED' : 'FLEET_PLAN_INVALID'};
  expect(JSON.parse(stdout)).toMatchObject({error: {...error, message: expect.stringContaining(sentence)}});
  expect(code).not.toBe(0);
  expect(place.server.requests).toEqual([]);
});

test('nothing starts without a yes to what the plan lets happen [fleet.agree]', async () => {
  await using place = await openFleet();
  const {code, stderr} = await place.run([...RUN, '--no-sandbox']);
  expect({code, stderr}).toMatchObject({code: 1, stderr: expect.stringMatching(/files of each checkout are edited/)});
  expect(JSON.parse((await place.run([...RUN, '--json'])).stdout)).toMatchObject({error: {code: 'FLEET_NOT_AGREED'}});
  expect(place.server.requests).toEqual([]);
});

test('what a fleet keeps and cannot be used is named [fleet.faults]', async () => {
  await using place = await openFleet({}, ['a']);
  const codeOf = async (...words: readonly string[]): Promise<unknown> =>
    (JSON.parse((await place.run(['fleet', ...words, '--json'])).stdout) as {error?: {code: string}}).error?.code;
  expect(await codeOf('status')).toBe('FLEET_UNKNOWN');
  expect(await place.run([...RUN, ...OPEN])).toMatchObject({code: 0});
  expect(await codeOf('status', 'other')).toBe('FLEET_UNKNOWN');
  expect(await codeOf('explain', 'zz')).toBe('FLEET_UNKNOWN');
  expect(await codeOf('work', '--from', 'folder')).toBe('QUEUE_ABSENT');
  expect(await codeOf('results', '--output', 'repos.txt/r.jsonl')).toBe('FLEET_UNWRITABLE');
  const [line] = await resultsOf(place);
  const {stdout} = await place.run(['fleet', 'explain', line?.id.slice(0, 8) ?? '']);
  expect(stdout).toMatch(/state +done, 1 of 3 attempts[\s\S]*changed +new\.txt[\s\S]*finished/);
  const events = await place.run(['fleet', 'watch', '--json']);
  const kinds = events.stdout
    .trim()
    .split('\n')
    .map((text) => (JSON.parse(text) as {kind: string}).kind);
  expect(kinds.filter((kind) => kind !== 'progress')).toEqual(['added', 'set', 'started', 'finished']);
  expect(await codeOf('gc', '--all')).toBeUndefined();
  expect(readdirSync(join(place.home, '.gemini-fleets', 'mirrors')).filter((name) => name.endsWith('.git'))).toEqual(
    [],
  );
  writeFileSync(join(place.home, '.gemini', 'fleets', 'repos', 'fleet.json'), '{');
  expect(await codeOf('status', 'repos')).toBe('FLEET_UNREADABLE');
});

function writeTemporary(folder: string, text: string): string {
  const file = join(folder, 'made.patch');
  writeFileSync(file, text);
  return file;
}

function hasBranch(mirror: string, branch: string | undefined): boolean {
  return git(mirror, 'branch', '--list', branch ?? 'none') !== '';
}
