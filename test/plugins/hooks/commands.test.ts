import {mkdir, mkdtemp, readFile, realpath, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {readDefinitions} from '#plugins/hooks/dist/config/read-definitions.js';
import {checkout} from '../../helpers/plugin-root.js';
import {runGemini} from '../../helpers/run-gemini.js';

interface Place {
  readonly cwd: string;
  readonly home: string;
}

async function place(files: Readonly<Record<string, unknown>>): Promise<Place> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-hooks-')));
  const where = {cwd: join(root, 'project'), home: join(root, 'home')};
  for (const folder of [where.cwd, where.home]) await mkdir(folder, {recursive: true});
  for (const [path, value] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), {recursive: true, mode: 0o700});
    await writeFile(join(root, path), JSON.stringify(value), {mode: 0o600});
  }
  return where;
}

async function guideBlocks(language: string): Promise<readonly string[]> {
  const guide = await readFile(join(checkout, 'docs', 'hooks.md'), 'utf8');
  return [...guide.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, found, text]) =>
    found === language && text !== undefined ? [text] : [],
  );
}

test('every other configuration of the guide is one [hooking.guide]', async () => {
  const others = await guideBlocks('json');
  expect(others.length).toBeGreaterThan(0);
  for (const text of others) {
    const {hooks} = JSON.parse(text) as {readonly hooks?: unknown};
    for (const {leftOut} of readDefinitions(hooks, {layer: 'user', isManaged: false})) expect(leftOut).toBeUndefined();
  }
});

test('hooks of a project wait for gemini hooks trust, and those of Claude Code are taken over [hooking.commands]', async () => {
  const own = {hooks: {AfterTool: [{hooks: [{command: 'true', name: 'format'}]}]}};
  const claude = {
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            {type: 'command', command: '~/bin/guard', timeout: 3},
            {type: 'command', command: '$CLAUDE_PROJECT_DIR/check.sh'},
          ],
        },
      ],
    },
  };
  const where = await place({'project/.gemini/settings.json': own, 'home/.claude/settings.json': claude});
  const variables = {GEMINI_CLI_TRUST_WORKSPACE: 'true'};
  const gemini = (...words: string[]) => runGemini(words, {...where, variables});
  expect((await gemini('hooks', 'list')).stdout).toContain('○ format');
  expect(await gemini('hooks', 'trust')).toMatchObject({code: 0, stdout: expect.stringContaining('✓ format')});
  expect((await gemini('hooks', 'list')).stdout).toContain('● format');
  const {stdout} = await gemini('hooks', 'import', '--json');
  expect((JSON.parse(stdout) as {readonly hooks: unknown}).hooks).toEqual([
    expect.objectContaining({event: 'BeforeTool', command: '~/bin/guard'}),
    expect.objectContaining({skipped: 'it runs a file of this project: take it with --scope project'}),
  ]);
  expect(JSON.parse(await readFile(join(where.home, '.gemini', 'settings.json'), 'utf8'))).toEqual({
    hooks: {
      BeforeTool: [
        {
          matcher: 'run_shell_command',
          hooks: [{type: 'command', command: '~/bin/guard', shape: 'claude', timeout: 3000}],
        },
      ],
    },
  });
}, 30_000);

test('a wrong word ends with a code and a sentence [hooking.commands]', async () => {
  const settings = {hooks: {BeforeTool: [{hooks: [{command: 'true', name: 'guard'}]}]}};
  const where = await place({'home/.gemini/settings.json': settings});
  const outcomes = await Promise.all(
    [
      ['show', 'nothing'],
      ['test', 'guard', '--input', '5'],
      ['import', 'gone.json'],
    ].map((words) =>
      runGemini(['hooks', ...words, '--json'], {...where, variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'}}),
    ),
  );
  expect(outcomes.map(({code, stdout}) => [code, (JSON.parse(stdout) as {error: {code: string}}).error.code])).toEqual([
    [42, 'HOOK_UNKNOWN'],
    [42, 'HOOK_INPUT_INVALID'],
    [42, 'HOOK_IMPORT_FAILED'],
  ]);
}, 30_000);
