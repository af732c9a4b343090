import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder} from '../../../helpers/make-plugin.js';
import {runGemini, type RunResult} from '../../../helpers/run-gemini.js';

type Fields = Readonly<Record<string, unknown>>;

interface Proof {
  readonly tried: number;
  readonly changed: number;
  readonly loosened: readonly Fields[];
}

const shell = {toolName: 'run_shell_command', decision: 'allow', priority: 100};
const edit = {toolName: ['write_file', 'replace'], decision: 'allow', priority: 100};

/** Rules as text; values of TOML that are needed here are spelt as in JSON. */
function toToml(rules: readonly Fields[]): string {
  return rules
    .map((rule) =>
      ['[[rule]]', ...Object.entries(rule).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ''].join('\n'),
    )
    .join('\n');
}

async function prove(
  before: readonly Fields[],
  after: readonly Fields[],
  ...flags: readonly string[]
): Promise<RunResult> {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'old.toml'), toToml(before));
  await writeFile(join(folder.path, 'new.toml'), toToml(after));
  return await runGemini(['policy', 'prove', 'old.toml', 'new.toml', ...flags], {cwd: folder.path, home: folder.path});
}

describe('gemini policy prove finds a call when', () => {
  test.each<readonly [string, readonly Fields[], readonly Fields[], Fields]>([
    [
      'a prefix is widened',
      [{...shell, commandPrefix: 'git status'}],
      [{...shell, commandPrefix: 'git'}],
      {tool: 'run_shell_command', input: {command: 'git x'}, before: 'ask'},
    ],
    [
      'a denial is taken away',
      [{...edit, decision: 'deny', path: 'infra/**', priority: 200}, edit],
      [edit],
      {tool: 'write_file', before: 'deny'},
    ],
    [
      'a denial names less',
      [{...shell, decision: 'deny', commandPrefix: ['rm', 'shred'], priority: 200}, shell],
      [{...shell, decision: 'deny', commandPrefix: 'rm', priority: 200}, shell],
      {input: {command: 'shred'}, before: 'deny'},
    ],
    [
      'a glob of paths is broader',
      [{...edit, path: 'docs/*.md'}],
      [{...edit, path: 'docs/**'}],
      {tool: 'write_file', before: 'ask'},
    ],
    [
      'one more alternative stands in a glob',
      [{...edit, path: '**/{a.json}'}],
      [{...edit, path: '**/{a.json,package.json}'}],
      {tool: 'replace', before: 'ask'},
    ],
    [
      'a mode is added',
      [{...edit, modes: ['autoEdit']}],
      [{...edit, modes: ['autoEdit', 'default']}],
      {mode: 'default', before: 'ask'},
    ],
    [
      'redirection is allowed',
      [{...shell, commandPrefix: 'ls'}],
      [{...shell, commandPrefix: 'ls', allowRedirection: true}],
      {mode: 'default', input: {command: 'ls > out.txt'}, before: 'ask'},
    ],
    [
      'a pattern of arguments is looser',
      [{toolName: 'web_fetch', argsPattern: '"url":"https://a\\.example/', decision: 'allow', priority: 100}],
      [{toolName: 'web_fetch', argsPattern: '"url":"https://(a|b)\\.example/', decision: 'allow', priority: 100}],
      {tool: 'web_fetch', input: {url: 'https://b.example/'}, before: 'ask'},
    ],
    [
      'a pattern of commands has one more alternative',
      [{...shell, commandRegex: 'npm (?:test|run build)$'}],
      [{...shell, commandRegex: 'npm (?:test|run build|publish)$'}],
      {input: {command: 'npm publish'}, before: 'ask'},
    ],
    [
      'a pattern of commands loses its end',
      [{...shell, commandRegex: 'npm test$'}],
      [{...shell, commandRegex: 'npm test'}],
      {input: {command: 'npm test x'}, before: 'ask'},
    ],
    [
      'a look ahead is gone',
      [{...shell, commandRegex: 'git (?!push)'}],
      [{...shell, commandRegex: 'git '}],
      {input: {command: 'git push'}, before: 'ask'},
    ],
    ['a tool is added', [{...edit, toolName: 'replace'}], [edit], {tool: 'write_file', before: 'ask'}],
    [
      'a server is any server',
      [{toolName: '*', mcpName: 'docs', decision: 'allow', priority: 100}],
      [{toolName: '*', mcpName: '*', decision: 'allow', priority: 100}],
      {before: 'ask'},
    ],
    [
      'a priority rises above a denial',
      [
        {...shell, commandPrefix: 'make'},
        {...shell, decision: 'deny', priority: 150},
      ],
      [
        {...shell, commandPrefix: 'make', priority: 160},
        {...shell, decision: 'deny', priority: 150},
      ],
      {input: {command: 'make'}, before: 'deny'},
    ],
    ['it holds without a person too', [{...edit, interactive: true}], [edit], {interactive: false, before: 'deny'}],
    [
      'a secret file is opened',
      [],
      [{toolName: 'read_file', path: '**/.env.test', decision: 'allow', priority: 100}],
      {tool: 'read_file', before: 'deny'},
    ],
  ])('%s [policy.prove]', async (_, before, after, expected) => {
    const {code, stdout, stderr} = await prove(before, after, '--json');
    const {loosened} = JSON.parse(stdout) as Proof;
    expect({code, stderr, loosened}).toMatchObject({
      code: 1,
      stderr: '',
      loosened: expect.arrayContaining([expect.objectContaining({...expected, after: 'allow'})]),
    });
  });
});

describe('gemini policy prove finds nothing when', () => {
  test.each<readonly [string, readonly Fields[], readonly Fields[]]>([
    ['nothing changed', [{...shell, commandPrefix: 'git'}], [{...shell, commandPrefix: 'git'}]],
    [
      'a rule only got another name',
      [{...shell, commandPrefix: 'git', id: 'a'}],
      [{...shell, commandPrefix: 'git', id: 'b', description: 'x'}],
    ],
    ['a prefix is narrowed', [{...shell, commandPrefix: 'git'}], [{...shell, commandPrefix: 'git status'}]],
    ['a permission is taken away', [shell, edit], [edit]],
    ['a denial is added', [edit], [edit, {...edit, decision: 'deny', path: 'infra/**', priority: 200}]],
    ['a mode is taken away', [{...edit, modes: ['autoEdit', 'default']}], [{...edit, modes: ['autoEdit']}]],
    ['a glob is narrower', [{...edit, path: 'docs/**'}], [{...edit, path: 'docs/*.md'}]],
    ['a pattern gets an end', [{...shell, commandRegex: 'npm test'}], [{...shell, commandRegex: 'npm test$'}]],
    ['a question takes the place of a permission', [edit], [{...edit, decision: 'ask_user'}]],
  ])('%s [policy.prove]', async (_, before, after) => {
    const {code, stdout, stderr} = await prove(before, after, '--json');
    expect({code, stderr, proof: JSON.parse(stdout) as Proof}).toMatchObject({
      code: 0,
      stderr: '',
      proof: {loosened: []},
    });
  });
});

describe('gemini policy prove', () => {
  test('says of each call once what allows it now and where [policy.prove]', async () => {
    const {code, stdout, stderr} = await prove(
      [{...shell, commandPrefix: 'git status', interactive: true}],
      [{...shell, commandPrefix: 'git', interactive: true}],
    );
    expect({code, stderr}).toEqual({code: 1, stderr: ''});
    expect(stdout).toContain(
      'deny -> allow  run_shell_command {"command":"git x"}\n    git x: It is allowed. (rule User: ' +
        'new.toml:1)\n    In mode plan, default, auto_edit, only with a person.\n',
    );
    expect(stdout).toMatch(/\n3 calls that the new rules are looser about, of \d+ tried \(2 rules changed\)\.\n$/);
  });

  test('with --asks also names what was denied and is asked now [policy.prove]', async () => {
    const [before, after] = [[{...shell, decision: 'deny'}], [{...shell, decision: 'ask_user'}]];
    expect((await prove(before, after)).code).toBe(0);
    const {code, stdout} = await prove(before, after, '--asks');
    expect({code, first: stdout.split('\n')[0]}).toEqual({
      code: 1,
      first: 'deny -> ask  run_shell_command {"command":"x"}',
    });
  });

  test.each([
    [
      ['old.toml', 'gone.toml'],
      42,
      /^Error: The rules in gone\.toml cannot be compared: There are no rules at .*gone\.toml\.\ngemini policy check gone\.toml shows everything that is wrong\.\n$/,
    ],
    [
      ['broken.toml', 'old.toml'],
      42,
      /^Error: The rules in broken\.toml cannot be compared: [^\n]+\ngemini policy check broken\.toml shows/,
    ],
    [['old.toml'], 1, /^Error: Missing argument: new /],
  ])('of %j ends with %i and a sentence [policy.prove]', async (paths, code, said) => {
    await using folder = await makeFolder();
    await writeFile(join(folder.path, 'old.toml'), toToml([edit]));
    await writeFile(join(folder.path, 'broken.toml'), '[[rule]\n');
    const result = await runGemini(['policy', 'prove', ...paths], {cwd: folder.path, home: folder.path});
    expect({code: result.code, stdout: result.stdout, stderr: result.stderr}).toEqual({
      code,
      stdout: '',
      stderr: expect.stringMatching(said),
    });
  });
});
