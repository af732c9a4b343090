import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {openAgentPlace, type AgentPlace} from '../../helpers/run-agent.js';

const files = {
  '.gemini/commands/git/commit.toml':
    'description = "Write a message"\nargument-hint = "<scope>"\n' +
    'prompt = "For {{args}}: !{git diff {{args.1}}} @{a.txt}"\n',
  '.gemini/commands/fix.toml': 'prompt = "Project fix"\n',
  '../home/.gemini/commands/fix.toml': 'prompt = "User fix"\n',
};

async function json(place: AgentPlace, ...words: readonly string[]): Promise<{code: number | null; value: unknown}> {
  const {code, stdout} = await place.run([...words, '--json']);
  return {code, value: JSON.parse(stdout.replaceAll(place.project, '<project>').replaceAll(place.home, '<home>'))};
}

test('gemini commands lists, shows, reloads and checks commands, also as JSON [commands.cli]', async () => {
  await using place = await openAgentPlace({files});
  const listed = await place.run(['commands', 'list']);
  expect(listed).toMatchObject({
    code: 0,
    stdout:
      '/fix         Custom command from fix.toml  (project)\n' +
      '/git:commit  <scope>  Write a message  (project)\n' +
      '/user.fix    Custom command from fix.toml  (user)\n',
    stderr: '/fix of you is available as /user.fix, because this project already has /fix.\n',
  });
  expect(await place.run(['-p', '/commands list user'])).toMatchObject({
    code: 0,
    stdout: '/user.fix  Custom command from fix.toml  (user)\n',
  });
  expect(await json(place, 'commands', 'show', '/git:commit')).toEqual({
    code: 0,
    value: {
      name: 'git:commit',
      description: 'Write a message',
      argumentHint: '<scope>',
      origin: {kind: 'project'},
      file: '<project>/.gemini/commands/git/commit.toml',
      files: ['a.txt'],
      shell: ['git diff {{args.1}}'],
      arguments: ['{{args}}', '{{args.1}}'],
      text: files['.gemini/commands/git/commit.toml'],
    },
  });
  expect((await place.run(['commands', 'show', 'user.fix'])).stdout).toContain('prompt = "User fix"');
  expect(await place.run(['commands', 'show', 'none'])).toMatchObject({code: 42});
  expect(await json(place, 'commands', 'reload')).toEqual({code: 0, value: {commands: 3, faults: 0}});
  expect((await place.run(['commands', 'check'])).stdout).toBe('✓ 3 commands work.\n');
});

test('gemini commands check names broken files and fails; new and import write files, but replace none [commands.cli]', async () => {
  await using place = await openAgentPlace({
    files: {
      '.gemini/commands/bad.toml': 'prompt = "x\n',
      '.claude/commands/docs/pr.md':
        '---\ndescription: "Review it"\nargument-hint: [number]\nallowed-tools: Bash(gh:*)\n---\n' +
        'Review $ARGUMENTS, first $1, of me@example.com.\n!`gh pr diff "$1"`\nSee @src/a.ts, @./b.md and @user.\n',
      '.claude/commands/odd.md': 'Run !{touch canary} now.',
      '../home/.claude/commands/mine.md': "It's mine.\n",
    },
  });
  const checked = await json(place, 'commands', 'check');
  expect(checked).toMatchObject({code: 1, value: {commands: 0, faults: [{kind: 'broken', line: 1, column: 12}]}});
  const {stdout} = await place.run(['commands', 'import']);
  expect(stdout).toContain('allowed-tools has no counterpart here.');
  expect(stdout).toContain('odd.md was not taken: its text contains !{, which means something in a TOML command');
  expect(await place.read('.gemini/commands/docs/pr.toml')).toBe(
    'description = "Review it"\nargument-hint = "[number]"\nprompt = \'\'\'\n' +
      'Review {{args}}, first {{args.1}}, of me@example.com.\n!{gh pr diff "{{args.1}}"}\n' +
      "See @{src/a.ts}, @{./b.md} and @user.\n'''\n",
  );
  expect(await readFile(join(place.home, '.gemini/commands/mine.toml'), 'utf8')).toContain("It's mine.");
  const again = await json(place, 'commands', 'import');
  expect(again.value).toMatchObject({
    commands: [
      {name: 'docs:pr', skipped: 'you have a command of this name (--overwrite replaces it)'},
      {name: 'odd'},
      {name: 'mine', skipped: 'you have a command of this name (--overwrite replaces it)'},
    ],
  });
  const made = await json(place, 'commands', 'new', 'git:explain', '--user', '--prompt', "Say '''{{args}}'''");
  expect(made).toEqual({code: 0, value: {name: 'git:explain', file: '<home>/.gemini/commands/git/explain.toml'}});
  expect(await readFile(join(place.home, '.gemini/commands/git/explain.toml'), 'utf8')).toContain(
    "prompt = \"Say '''{{args}}'''\"\n",
  );
  const codeOf = async (...words: readonly string[]): Promise<unknown> =>
    ((await json(place, 'commands', ...words)).value as {error: {code: string}}).error.code;
  expect(await codeOf('new', 'git:explain', '--user')).toBe('CUSTOM_COMMAND_EXISTS');
  expect(await codeOf('new', '../x')).toBe('CUSTOM_COMMAND_INVALID');
  expect(await codeOf('new', 'x', '--prompt', '!{eval {{args}}}')).toBe('CUSTOM_COMMAND_INVALID');
  expect(await codeOf('import', 'nowhere')).toBe('CUSTOM_COMMAND_UNKNOWN');
  await expect(stat(join(place.project, 'canary'))).rejects.toThrow('ENOENT');
});
