import {existsSync} from 'node:fs';
import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {makeExtensions, namesOf, noticesOf, openScene, promptOf, runLine} from './scene.js';

describe('arguments', () => {
  test('fill their places as typed, or the whole line follows the prompt [commands.arguments]', async () => {
    await using kernel = await openScene({
      project: {
        'a.toml': 'prompt = "Fix {{args}} in {{args.2}}."',
        'b.toml': 'prompt = "Explain."',
        'git/c.toml': 'prompt = "!{echo hi}"',
      },
    });
    expect(await promptOf(kernel, '/a the "big bug" {{args}} !{date} @{b}')).toBe(
      'Fix the "big bug" {{args}} !{date} @{b} in big bug.',
    );
    expect(await promptOf(kernel, '/a')).toBe('Fix  in .');
    expect(await promptOf(kernel, '/b')).toBe('Explain.');
    expect(await promptOf(kernel, '/b why  so?')).toBe('Explain.\n\n/b why  so?');
    expect(await promptOf(kernel, '/git:c now')).toBe('hi\n\n\n/git:c now');
  });
});

describe('files', () => {
  test('are inlined by the tools that read, folders and media too [commands.inline]', async () => {
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
      'base64',
    );
    await using kernel = await openScene({
      project: {'a.toml': 'prompt = "<@{a.txt}> @{docs} @{x.png} @{b [1].txt}"'},
      files: {
        'a.txt': '!{touch canary} {{args}} @{b.txt}',
        'docs/one.md': 'ONE',
        'docs/two.md': 'TWO',
        'b [1].txt': 'B',
      },
    });
    await writeFile(join(kernel.project, 'x.png'), pixel);
    const prompt = await promptOf(kernel, '/a');
    expect(prompt).toContain('<!{touch canary} {{args}} @{b.txt}> ');
    expect(prompt).toMatch(/one\.md ---\n\nONE[^]*two\.md ---\n\nTWO/);
    expect(prompt).toContain('|[image/png]| B');
    expect(existsSync(join(kernel.project, 'canary'))).toBe(false);
  });

  test('that are ignored give nothing; others that cannot be read leave their place, with a notice [commands.unread]', async () => {
    await using kernel = await openScene({
      project: {'a.toml': 'prompt = "1@{secret.txt}2@{none.txt}3@{../outside.txt}4@{/etc/passwd}5"'},
      files: {'secret.txt': 'S', '.geminiignore': 'secret.txt\n'},
    });
    await writeFile(join(kernel.project, '..', 'outside.txt'), 'O');
    expect(await promptOf(kernel, '/a')).toBe('12@{none.txt}3@{../outside.txt}4@{/etc/passwd}5');
    expect(noticesOf(kernel, 'CUSTOM_COMMAND_UNREAD').map((one) => one.replaceAll(kernel.project, ''))).toEqual([
      '/a did not read secret.txt: line 1 of /.geminiignore ignores it.',
      '/a did not read none.txt: there is no such file or folder in the workspace.',
      '/a did not read ../outside.txt: it is outside the workspace.',
      '/a did not read /etc/passwd: it is outside the workspace.',
    ]);
  });

  test('that a rule denies leave their place [commands.unread]', async () => {
    await using kernel = await openScene({
      project: {'a.toml': 'prompt = "@{a.txt}"'},
      files: {'a.txt': 'A'},
      homeFiles: {
        '.gemini/policies/mine.toml':
          '[[rule]]\ntoolName = "read_file"\ndecision = "deny"\npriority = 100\ndenyMessage = "Not this."\n',
      },
    });
    expect(await promptOf(kernel, '/a')).toBe('@{a.txt}');
    expect(noticesOf(kernel, 'CUSTOM_COMMAND_UNREAD')[0]).toMatch(/^\/a did not read a\.txt: .*Not this/);
  });
});

describe('shell commands', () => {
  test('run in order after files were read, and what they print is text [commands.shell]', async () => {
    await using kernel = await openScene({
      project: {
        'a.toml':
          'prompt = """!{echo 1 > log; printf "{{%s}} !{touch canary} @{log}" args}|@{log}|' +
          '!{cat log; echo oops >&2; exit 3}|!{kill -9 $$}|!{ }{{args}}"""',
      },
      files: {log: 'before'},
      flags: {},
      homeFiles: {
        '.gemini/policies/mine.toml':
          '[[rule]]\ntoolName = "run_shell_command"\ndecision = "allow"\npriority = 100\nallowRedirection = true\n',
      },
    });
    expect(await promptOf(kernel, '/a {{args}}')).toBe(
      '{{args}} !{touch canary} @{log}|before|1\noops\n\n' +
        "[Shell command 'cat log; echo oops >&2; exit 3' exited with code 3]|\n" +
        "[Shell command 'kill -9 $$' terminated by signal SIGKILL]|{{args}}",
    );
    expect(existsSync(join(kernel.project, 'canary'))).toBe(false);
    expect(noticesOf(kernel, 'CUSTOM_COMMAND_SHELL')[0]).toBe(
      '/a calls run_shell_command: echo 1 > log; printf "{{%s}} !{touch canary} @{log}" args',
    );
  });

  test('get arguments that never become commands [commands.quoted]', async () => {
    await using kernel = await openScene({project: {'a.toml': `prompt = '''!{printf '%s|' {{args}} "{{args}}"}'''`}});
    const given = `it's $(touch canary) \`touch canary\`; touch canary "`;
    expect(await promptOf(kernel, `/a ${given}`)).toBe(`${given}|${given}|`);
    expect(existsSync(join(kernel.project, 'canary'))).toBe(false);
  });

  test('that need an approval are refused where no one can be asked [commands.judged]', async () => {
    await using kernel = await openScene({flags: {}, project: {'a.toml': 'prompt = "!{touch {{args}}}"'}});
    await expect(runLine(kernel, '/a canary')).rejects.toMatchObject({
      code: 'CUSTOM_COMMAND_REFUSED',
      message: expect.stringMatching(/^\/a did not run touch 'canary': .*needs your approval/),
    });
    expect(kernel.kernel.catalog.exitCodeOf('CUSTOM_COMMAND_REFUSED')).toBe(56);
    expect(existsSync(join(kernel.project, 'canary'))).toBe(false);
  });

  test('are shown to the person who approves them [commands.judged]', async () => {
    await using folder = await makeFolder();
    const person = await makePlugin(folder.path, {
      name: 'person',
      listeners: [{hook: 'tool:confirm', module: './confirm.js'}],
      files: {
        'confirm.js': listenerCode(
          'tool:confirm',
          'const {command} = payload.preview; globalThis.asked.push(command); ' +
            "return {decision: command.includes('no') ? 'no' : 'yes'};",
        ),
      },
    });
    const asked: string[] = [];
    (globalThis as {asked?: string[]}).asked = asked;
    await using kernel = await openScene({
      flags: {},
      confirm: 'yes',
      plugins: [person],
      project: {'a.toml': 'prompt = "!{touch {{args}}; echo done}"'},
    });
    expect(await promptOf(kernel, '/a one')).toBe('done\n');
    await expect(runLine(kernel, '/a no')).rejects.toMatchObject({code: 'CUSTOM_COMMAND_REFUSED'});
    expect(asked).toEqual(["touch 'one'; echo done", "touch 'no'; echo done"]);
    expect(['one', 'no'].map((name) => existsSync(join(kernel.project, name)))).toEqual([true, false]);
  });

  test('that cannot run fail, and a stop ends them [commands.shell]', async () => {
    await using kernel = await openScene({project: {'a.toml': 'prompt = "!{sleep 60}"'}});
    const stop = new AbortController();
    const running = (await kernel.service('slash-commands')).run('/a', stop.signal);
    stop.abort(new Error('Stopped.'));
    await expect(running).rejects.toThrow('Stopped.');
    await using bare = await openScene({
      without: ['shell', 'filesystem'],
      project: {'a.toml': 'prompt = "!{echo hi}"', 'b.toml': 'prompt = "@{a.txt}"'},
      files: {'a.txt': 'A'},
    });
    await expect(runLine(bare, '/a')).rejects.toMatchObject({
      code: 'CUSTOM_COMMAND_FAILED',
      message: expect.stringMatching(/^\/a could not run echo hi: /),
    });
    expect(await promptOf(bare, '/b')).toBe('@{a.txt}');
  });
});

describe('names', () => {
  test('of the project come before those of the person and of extensions, which stay reachable [commands.clashes]', async () => {
    const all = (text: string): Record<string, string> => ({'fix.toml': `prompt = "${text}"`});
    await using folder = await makeFolder();
    await using kernel = await openScene({
      plugins: [
        await makeExtensions(folder.path, 'core', 'extensions'),
        await makeExtensions(folder.path, 'user', 'other'),
      ],
      project: {
        ...all('of the project'),
        'clear.toml': 'prompt = "not built in"',
        'a b.toml': 'prompt = "1"',
        'a_b.toml': 'prompt = "2"',
      },
      person: all('of the person'),
      extension: {...all('of the extension'), 'deploy.toml': 'prompt = "Deploy."'},
    });
    expect(await namesOf(kernel)).toEqual([
      ...[
        '/a_b',
        '/workspace.a_b',
        '/workspace.clear',
        '/fix',
        '/user.fix',
        '/deploy',
        '/gcp:fix',
        '/other:deploy',
        '/other:fix',
      ],
    ]);
    expect(await promptOf(kernel, '/fix')).toBe('of the project');
    expect(await promptOf(kernel, '/user.fix')).toBe('of the person');
    expect(await promptOf(kernel, '/gcp:fix')).toBe('of the extension');
    expect(await promptOf(kernel, '/workspace.a_b')).toBe('2');
    await namesOf(kernel);
    expect(noticesOf(kernel, 'COMMAND_RENAMED')).toHaveLength(6);
    const [shown] = (await (await kernel.service('slash-commands')).list()).filter(({words}) => words[0] === 'deploy');
    expect(shown).toMatchObject({summary: '[gcp] Custom command from deploy.toml', owner: 'gcp'});
  });

  test('of a project that is not trusted do not exist, and home is no project [commands.trust]', async () => {
    const files = {'a.toml': 'prompt = "x"'};
    await using kernel = await openScene({
      project: files,
      person: {'b.toml': 'prompt = "x"'},
      confirm: 'yes',
      variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
    });
    expect(await namesOf(kernel)).toEqual(['/b']);
    const home = kernel.kernel.open({cwd: kernel.home});
    const {folders} = await (await home.service('custom-commands')).list();
    expect(folders.map(({origin}) => origin.kind)).toEqual(['person']);
    await home.close();
  });
});

test('new, changed and broken files are noticed without a reload [commands.reload]', async () => {
  await using kernel = await openScene({project: {'a.toml': 'prompt = "1"'}});
  const file = (name: string): string => join(kernel.project, '.gemini', 'commands', name);
  expect(await namesOf(kernel)).toEqual(['/a']);
  await writeFile(file('b.toml'), 'prompt = "2"');
  expect(await promptOf(kernel, '/b')).toBe('2');
  await writeFile(file('a.toml'), 'prompt = "3"');
  expect(await promptOf(kernel, '/a')).toBe('3');
  await writeFile(file('b.toml'), 'prompt = ');
  expect(await namesOf(kernel)).toEqual(['/a']);
  await namesOf(kernel);
  expect(noticesOf(kernel, 'CUSTOM_COMMAND_BROKEN')).toEqual([
    expect.stringMatching(/^A custom command is left out\. .*b\.toml, line 1, column \d+: /),
  ]);
  const source = await kernel.service('commands:custom');
  await expect(
    source.run(`project::${file('b.toml')}`, {line: '/b', text: '', values: {}}, AbortSignal.timeout(5000)),
  ).rejects.toMatchObject({
    code: 'CUSTOM_COMMAND_UNKNOWN',
  });
});

test('a source that fails to look for changes lists what it has [commands.reload]', async () => {
  await using folder = await makeFolder();
  const code = `import {provide} from '@gemini-kernel/kernel';
export default provide('commands:odd', {version: '1.0.0', scope: 'session', create: () => ({
  list: async () => [{name: 'odd', description: 'Odd.'}],
  refresh: async () => { throw new Error('No.'); },
  run: async (id) => ({kind: 'message', text: id}),
})});
`;
  const odd = await makePlugin(folder.path, {
    name: 'odd',
    services: [{name: 'commands:odd', version: '1.0.0', scope: 'session', module: './odd.js'}],
    files: {'odd.js': code},
  });
  await using kernel = await openScene({plugins: [odd]});
  expect(await runLine(kernel, '/odd')).toEqual({kind: 'message', text: 'odd'});
});

test('commands are prompts of MCP clients, one for each name [commands.served]', async () => {
  await using kernel = await openScene({
    project: {'fix.toml': 'argument-hint = "<bug>"\nprompt = "Fix {{args}}: !{echo {{args}}}"'},
    person: {'fix.toml': 'prompt = "other"', 'say.toml': 'prompt = "Say it."'},
  });
  const prompts = await kernel.service('mcp-prompts:custom');
  expect(await prompts.list()).toEqual([
    {name: 'fix', description: 'Custom command from fix.toml', arguments: [{name: 'args', description: '<bug>'}]},
    {
      name: 'say',
      description: 'Custom command from say.toml',
      arguments: [{name: 'args', description: 'What you would type after the command.'}],
    },
  ]);
  expect(await prompts.get('fix', {args: "it's"})).toEqual([
    {role: 'user', content: {type: 'text', text: "Fix it's: it's\n"}},
  ]);
  expect(await prompts.get('say', {args: 'now'})).toEqual([
    {role: 'user', content: {type: 'text', text: 'Say it.\n\n/say now'}},
  ]);
  await expect(prompts.get('none', {})).rejects.toMatchObject({code: 'CUSTOM_COMMAND_UNKNOWN'});
});
