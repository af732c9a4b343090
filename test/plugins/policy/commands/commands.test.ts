import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {checkout} from '../../../helpers/plugin-root.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';

type Files = Readonly<Record<string, string>>;

/**
 * Runs `gemini policy …` in a project with these files; those below `home/` are in the home directory. In what comes of
 * it `<here>` stands for the folder of both.
 */
async function policy(words: readonly string[], files: Files = {}): Promise<RunResult> {
  await using folder = await makeFolder();
  const [cwd, home] = [join(folder.path, 'project'), join(folder.path, 'home')];
  await Promise.all([mkdir(cwd), mkdir(home)]);
  for (const [name, content] of Object.entries(files)) {
    const file = join(name.startsWith('home/') ? folder.path : cwd, name);
    await mkdir(dirname(file), {recursive: true});
    await writeFile(file, content);
  }
  const {code, stdout, stderr} = await runGemini(['policy', ...words], {cwd, home});
  return {code, stdout: stdout.replaceAll(folder.path, '<here>'), stderr: stderr.replaceAll(folder.path, '<here>')};
}

const rules: Files = {
  'home/.gemini/policies/mine.toml':
    '[[rule]]\nid = "no-push"\ntoolName = "run_shell_command"\ncommandPrefix = ["git push", "git remote add", ' +
    '"npm publish", "docker push", "cargo publish"]\ndecision = "deny"\npriority = 500\ndenyMessage = "A person ' +
    'pushes."\n',
};

describe('gemini policy list', () => {
  test('shows an entry once, with what is long cut, under its tier, strongest first [policy.list]', async () => {
    const {code, stdout, stderr} = await policy(['list', '--tool', 'run_shell_command'], rules);
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    expect(stdout).toMatch(
      /^You\n {2}500 {2}deny {3}no-push +run_shell_command; "git push", "git remote add", "npm publish" … 2 more {2}mine\.toml:1\n\nDefaults\n/,
    );
    expect(stdout).toMatch(
      /\n {2}990 {2}deny! {2}env-files +any tool; in \*\*\/\.env, \*\*\/\.envrc … \d+ more {2}sensitive\.toml:\d+\n/,
    );
    expect(stdout.split('\n').filter((line) => line.length > 200)).toEqual([]);
  });

  test('has everything as JSON [policy.list]', async () => {
    const {stdout} = await policy(['list', '--tier', 'user', '--json'], rules);
    const listed = JSON.parse(stdout) as {rules: readonly {command: unknown}[]};
    expect(listed.rules.map(({command}) => command)).toEqual(
      ['git push', 'git remote add', 'npm publish', 'docker push', 'cargo publish'].map((prefix) => ({prefix})),
    );
    expect(listed.rules[0]).toMatchObject({
      id: 'no-push',
      decision: 'deny',
      priority: 500,
      message: 'A person pushes.',
      source: {tier: 'user', label: 'User: mine.toml:1', line: 1},
    });
  });

  test.each([
    [['--tier', 'extension'], 0, 'No rule says anything about that.\n', ''],
    [
      ['--tool', 'read_fil', '--tier', 'user'],
      0,
      'No rule says anything about that.\n',
      'Warning: No tool read_fil is installed (did you mean read_file?); it is judged by its name and input alone.\n',
    ],
    [
      ['--tier', 'boss'],
      1,
      '',
      'Error: Expected --tier=boss to be one of: default, extension, workspace, session, user, admin\n',
    ],
  ])('with %j ends with %i and says what it found [policy.list]', async (flags, code, out, err) => {
    const result = await policy(['list', ...flags]);
    expect({
      code: result.code,
      stdout: result.stdout.startsWith(out),
      stderr: result.stderr.startsWith(err) && (err !== '' || result.stderr === ''),
    }).toEqual({code, stdout: true, stderr: true});
  });
});

describe('gemini policy explain', () => {
  test('of "last" is of the newest call, and without one says so [policy.explain]', async () => {
    await using folder = await makeFolder();
    const at = {cwd: folder.path, home: folder.path};
    const none = await runGemini(['policy', 'explain', 'last', '--json'], at);
    expect([none.code, JSON.parse(none.stdout)]).toMatchObject([42, {error: {code: 'CALL_UNCLEAR'}}]);
    await runGemini(['tools', 'call', 'read_file', 'file_path=a.txt'], at);
    expect(JSON.parse((await runGemini(['policy', 'explain', 'last', '--json'], at)).stdout)).toMatchObject({
      tool: 'read_file',
      input: {file_path: 'a.txt'},
      modes: [{mode: 'plan', decision: 'allow'}, {}, {}, {}],
    });
  });

  test(
    'puts modes together in which a call comes to the same, and names every rule that was ' +
      'looked at [policy.explain]',
    async () => {
      const {code, stdout, stderr} = await policy(['explain', 'read_file', 'file_path=.env']);
      expect({code, stderr}).toEqual({code: 0, stderr: ''});
      expect(stdout).toMatch(
        /^plan, default, auto_edit, yolo: deny\n {2}Environment files hold secrets\.[^\n]* \(rule env-files, Default: sensitive\.toml:\d+\)\n\nRules that were looked at, the strongest first:\n {2}✓ allow {2}yolo /,
      );
      // One that does not match is there, without its conditions.
      expect(stdout).toMatch(/\n {2}· deny {3}private-keys +sensitive\.toml:\d+\n/);
      expect(stdout.split('\n').filter((line) => line.length > 160)).toEqual([]);
    },
  );

  test('judges each command and each file of a shell line on its own [policy.explain]', async () => {
    const {stdout} = await policy(
      ['explain', 'run_shell_command', 'command=ls && git push && cat .env', '--mode', 'default'],
      rules,
    );
    expect(stdout).toMatch(
      /^default: deny\n {2}git push: A person pushes\. \(rule no-push, User: mine\.toml:1\)\n {4}allow {2}ls {2}reading-commands, Default: shell\.toml:\d+\n {4}deny {3}git push {2}no-push, User: mine\.toml:1\n {4}allow {2}cat \.env {2}reading-commands/,
    );
    expect(stdout).toMatch(/\n {4}deny {3}<here>\/project\/\.env {2}env-files, Default: sensitive\.toml:\d+\n/);
  });

  test('names the rule that lets a shell line pass [policy.explain]', async () => {
    expect((await policy(['explain', 'run_shell_command', 'command=ls | wc -l', '--mode', 'default'])).stdout).toMatch(
      /^default: allow\n {2}ls: It is allowed\. \(rule reading-commands, Default: shell\.toml:\d+\)\n/,
    );
  });

  test('says that a headless run refuses what needs a question [policy.explain]', async () => {
    const {stdout} = await policy([
      'explain',
      'write_file',
      'file_path=package.json',
      'content={}',
      '--headless',
      '--mode',
      'yolo',
    ]);
    expect(stdout).toMatch(/^yolo: ask; refused without a person to ask\n {2}Needs your approval\. Files that decide/);
  });

  test('as JSON holds every mode, every part and every rule [policy.explain]', async () => {
    const {stdout} = await policy(['explain', 'read_file', '--args', '{"file_path": "a.txt"}', '--json']);
    const {modes, ...rest} = JSON.parse(stdout) as {modes: readonly {looked: readonly unknown[]}[]};
    expect(rest).toEqual({tool: 'read_file', input: {file_path: 'a.txt'}});
    expect(modes).toMatchObject(
      ['plan', 'default', 'auto_edit', 'yolo'].map((mode) => ({
        mode,
        interactive: true,
        decision: 'allow',
        parts: [{what: '<here>/project/a.txt', decision: 'allow'}],
        looked: expect.arrayContaining([{rule: expect.objectContaining({id: 'env-files'}), match: 'no'}]),
      })),
    );
  });

  test('of a tool that is not installed says so and judges its name [policy.explain]', async () => {
    const {code, stdout, stderr} = await policy(['explain', 'discovered_tool_x', '--mode', 'default']);
    expect({code, stderr}).toEqual({
      code: 0,
      stderr: 'Warning: No tool discovered_tool_x is installed; it is judged by its name and input alone.\n',
    });
    expect(stdout).toMatch(
      /^default: ask\n {2}Needs your approval\. \(rule discovered-tools, Default: discovered\.toml:\d+\)\n/,
    );
  });

  test.each([
    [
      ['read_file'],
      42,
      'Error: read_file cannot take this input: input lacks "file_path".\nGive the input of a whole call: gemini ' +
        'tools describe read_file shows it.\n',
    ],
    [
      ['read_file', 'a.txt'],
      42,
      'Error: "a.txt" is not of the form key=value.\nGive values that are no text by --args, as JSON.\n',
    ],
    [['read_file', '--args', '[]'], 42, 'Error: --args cannot be read: It is not an object.\nGive a JSON object.\n'],
    [
      [],
      1,
      'Error: Missing argument: tool (Name of the tool, or "last" for the newest call).\nRun the command with ' +
        '--help to see what it takes.\n',
    ],
  ])('of %j ends with %i and a sentence [policy.explain]', async (words, code, stderr) => {
    expect(await policy(['explain', ...words])).toEqual({code, stdout: '', stderr});
  });
});

const faulty = '[[rule]]\ntoolName = "read_fil"\ndecison = "deny"\n';

describe('gemini policy check', () => {
  test('of files without faults counts them [policy.check]', async () => {
    expect(await policy(['check'], rules)).toEqual({code: 0, stdout: '11 files, 0 errors, 0 warnings.\n', stderr: ''});
    expect(
      await policy(['check', 'x.toml'], {'x.toml': '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 1\n'}),
    ).toEqual({code: 0, stdout: '1 file, 0 errors, 0 warnings.\n', stderr: ''});
  });

  test('names each fault with file, line, column and what was meant, and ends with 1 [policy.check]', async () => {
    const {code, stdout, stderr} = await policy(['check', 'team'], {
      'team/rules.toml': faulty,
      'team/rules.test.toml': '[[case]]\n',
    });
    expect({code, stderr}).toEqual({code: 1, stderr: ''});
    expect(stdout).toContain(
      '<here>/project/team/rules.toml:2:1 warning No tool is called "read_fil".\n  Did you mean "read_file"?\n',
    );
    expect(stdout).toContain(
      '<here>/project/team/rules.toml:3:1 warning There is no key "decison"; it is not used.\n  Did you mean ' +
        '"decision"?\n',
    );
    expect(stdout).toMatch(/\n1 file, 1 error, 2 warnings\.\n$/);
  });

  test('of what is not there is an error, as JSON too [policy.check]', async () => {
    const {code, stdout} = await policy(['check', 'gone.toml', '--json']);
    expect({code, checked: JSON.parse(stdout) as unknown}).toMatchObject({
      code: 1,
      checked: {
        files: [],
        errors: 1,
        problems: [
          {
            severity: 'error',
            file: '<here>/project/gone.toml',
            message: 'There are no rules at <here>/project/gone.toml.',
            hint: 'Correct the path that was given.',
          },
        ],
      },
    });
  });
});

const cases =
  '[[case]]\nname = "pushing"\ntool = "run_shell_command"\ninput = {command = "git push"}\nmode = ["default", ' +
  '"yolo"]\nexpect = "deny"\nrule = "no-push"\n\n[[case]]\ntool = "read_file"\ninput = {file_path = ' +
  '"a.txt"}\ninteractive = false\nexpect = "allow"\n';

describe('gemini policy test', () => {
  test('tries the cases beside the rules of the user, in each mode they name [policy.test]', async () => {
    expect(await policy(['test'], {...rules, 'home/.gemini/policies/mine.test.toml': cases})).toEqual({
      code: 0,
      stdout: '3 passed, 0 failed.\n',
      stderr: '',
    });
  });

  test('says of each call that is judged otherwise what was expected and by which rule [policy.test]', async () => {
    const {code, stdout, stderr} = await policy(['test', 'c.test.toml'], {'c.test.toml': cases});
    expect({code, stderr}).toEqual({code: 1, stderr: ''});
    expect(stdout).toMatch(
      /^✗ c\.test\.toml: pushing \(default\): expected deny by the rule no-push, got ask\n {4}git push: Needs your approval\. [^\n]*\n✗ c\.test\.toml: pushing \(yolo\): expected deny by the rule no-push, got allow\n {4}[^\n]*\n1 passed, 2 failed\.\n$/,
    );
  });

  test('tries rules that are not in place yet [policy.test]', async () => {
    const {code, stdout} = await policy(['test', 'team', '--policy', 'team/rules.toml', '--json'], {
      'team/rules.toml': rules['home/.gemini/policies/mine.toml'] ?? '',
      'team/rules.test.toml': cases,
    });
    expect({code, result: JSON.parse(stdout) as unknown}).toMatchObject({
      code: 0,
      result: {
        passed: 3,
        failed: 0,
        results: [
          {
            file: 'rules.test.toml',
            name: 'pushing',
            mode: 'default',
            expected: 'deny',
            rule: 'no-push',
            decision: 'deny',
            passed: true,
          },
          {mode: 'yolo'},
          {name: 'case 2', mode: 'default', decision: 'allow'},
        ],
      },
    });
  });

  test('warns of a tool that is not installed [policy.test]', async () => {
    const {code, stderr} = await policy(['test', 'c.test.toml'], {
      'c.test.toml': '[[case]]\ntool = "read_fil"\nexpect = "ask"\n',
    });
    expect({code, stderr}).toEqual({
      code: 0,
      stderr:
        'Warning: No tool read_fil is installed (did you mean read_file?); it is judged by its name and input alone.\n',
    });
  });

  test('without cases says where they would be [policy.test]', async () => {
    expect(await policy(['test'])).toEqual({
      code: 0,
      stdout: 'There are no cases. gemini policy test --help shows what one looks like.\n',
      stderr: '',
    });
  });

  test.each([
    ['', '<here>/project/c.test.toml cannot be read: there is no [[case]].'],
    ['[[case]\n', '<here>/project/c.test.toml:1:8 cannot be read: expected end of table array declaration.'],
    ['[[rule]]\n', '<here>/project/c.test.toml cannot be read: "rule" is not one of its keys.'],
    ['[[case]]\nexpect = "allow"\n', '<here>/project/c.test.toml cannot be read: case 1 (case 1): it names no tool.'],
    [
      '[[case]]\nname = "n"\ntool = "t"\n',
      '<here>/project/c.test.toml cannot be read: case 1 (n): expect is one of allow, ask, deny.',
    ],
    [
      '[[case]]\ntool = "t"\nexpect = "allow"\nmode = "fast"\n',
      '<here>/project/c.test.toml cannot be read: case 1 (case 1): mode is one of plan, default, auto_edit, yolo, ' +
        'or a list of them.',
    ],
    [
      '[[case]]\ntool = "t"\nexpect = "allow"\ninput = "x"\n',
      '<here>/project/c.test.toml cannot be read: case 1 (case 1): its input is not a table.',
    ],
    [
      '[[case]]\ntool = "t"\nexpect = "allow"\ninteractive = 1\n',
      '<here>/project/c.test.toml cannot be read: case 1 (case 1): interactive is true or false.',
    ],
    [
      '[[case]]\ntool = "t"\nexpct = "allow"\n',
      '<here>/project/c.test.toml cannot be read: case 1 (case 1): "expct" is not one of name, tool, server, input, ' +
        'mode, interactive, expect, rule.',
    ],
  ])('of %j ends with 42 and says what is wrong [policy.test]', async (text, said) => {
    const hint =
      'A case looks like this: [[case]] tool = "read_file", input = {file_path = "a.txt"}, expect = "allow".';
    expect(await policy(['test', 'c.test.toml'], {'c.test.toml': text})).toEqual({
      code: 42,
      stdout: '',
      stderr: `Error: The cases in ${said}\n${hint}\n`,
    });
  });

  test('of a file that is not there ends with 42 [policy.test]', async () => {
    expect(await policy(['test', 'gone.test.toml'])).toEqual({
      code: 42,
      stdout: '',
      stderr:
        'Error: The cases in <here>/project/gone.test.toml cannot be read: it does not exist.\nGive files of ' +
        'cases, or folders with files *.test.toml.\n',
    });
  });
});

test.each([
  [['explain', 'read_file'], 'CALL_UNCLEAR'],
  [['test', 'gone.test.toml'], 'POLICY_CASES_INVALID'],
  [['prove', 'gone.toml', 'gone.toml'], 'POLICY_UNREADABLE'],
])('%j fails as JSON too, with the code %s [errors.json]', async (words, code) => {
  const {code: exit, stdout} = await policy([...words, '--json']);
  expect({exit, printed: JSON.parse(stdout) as unknown}).toEqual({
    exit: 42,
    printed: {error: expect.objectContaining({type: 'KernelError', code, exit: 42})},
  });
});

test('no policy command prints escape codes into a pipe [policy.list]', async () => {
  const outputs = await Promise.all(
    [['list'], ['explain', 'read_file', 'file_path=.env'], ['check', 'x.toml'], ['test', 'c.test.toml']].map((words) =>
      policy(words, {'x.toml': faulty, 'c.test.toml': cases}),
    ),
  );
  expect(outputs.filter(({stdout, stderr}) => /\u001b/.test(stdout + stderr))).toEqual([]);
});

test('the examples of how to lift a rule are those that journeys show [policy.sensitive]', async () => {
  const text = await readFile(join(checkout, 'policies', 'README.md'), 'utf8');
  const examples = [...text.matchAll(/```toml\n(.*?)```/gs)].map(([, example]) => example);
  const shown = await Promise.all(
    ['build-files', 'env-file'].map((name) =>
      readFile(
        join(checkout, 'test', 'journeys', `policy-lift-${name}`, 'home', '.gemini', 'policies', 'mine.toml'),
        'utf8',
      ),
    ),
  );
  expect(examples).toEqual(shown);
});
