import {existsSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {makeFolder, type Folder} from '../helpers/make-plugin.js';
import {runGemini} from '../helpers/run-gemini.js';
import {atTerminal, PROMPT, runAtTerminal} from './run-at-terminal.js';

const files: Readonly<Record<string, string>> = {
  'a.txt': 'old\n',
  '.env': 'KEY=secret\n',
  '.env.example': 'KEY=\n',
  'package.json': '{}\n',
  'node_modules/x/index.js': '1;\n',
  '.git/config': '',
  'id_rsa': 'key\n',
  'build/x': '',
};

/** A project with these files, which a person trusts. */
async function makeProject(): Promise<Folder> {
  const folder = await makeFolder();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder.path, name)), {recursive: true});
    await writeFile(join(folder.path, name), content);
  }
  return folder;
}

const read = (path: string) => ['read_file', `file_path=${path}`];
const write = (path: string) => ['write_file', `file_path=${path}`, 'content=new'];
const shell = (line: string) => ['run_shell_command', `command=${line}`];
const replace = ['replace', 'file_path=a.txt', 'old_string=old', 'new_string=new', 'instruction=test'];

describe('the rules of the product', () => {
  // What a call comes to in the modes plan, default, auto_edit and yolo: with a person, then without one, where
  // "ask" is a refusal.
  test.concurrent.each<readonly [readonly string[], string, string]>([
    [read('a.txt'), 'allow allow allow allow', 'allow allow allow allow'],
    [read('node_modules/x/index.js'), 'allow allow allow allow', 'allow allow allow allow'],
    [read('.git/config'), 'allow allow allow allow', 'allow allow allow allow'],
    [read('.env.example'), 'allow allow allow allow', 'allow allow allow allow'],
    [read('.env'), 'deny deny deny deny', 'deny deny deny deny'],
    [read('id_rsa'), 'deny deny deny deny', 'deny deny deny deny'],
    [['list_directory', 'dir_path=.'], 'allow allow allow allow', 'allow allow allow allow'],
    [['list_background_processes'], 'allow allow allow allow', 'allow allow allow allow'],
    [write('new.txt'), 'deny ask allow allow', 'deny deny allow allow'],
    [write('.env.example'), 'deny ask allow allow', 'deny deny allow allow'],
    [replace, 'deny ask allow allow', 'deny deny allow allow'],
    [write('package.json'), 'deny ask ask ask', 'deny deny ask ask'],
    [write('node_modules/x/y'), 'deny ask ask ask', 'deny deny ask ask'],
    [write('.gemini/policies/mine.toml'), 'deny ask ask ask', 'deny deny ask ask'],
    [write('.git/hooks/pre-commit'), 'deny deny deny deny', 'deny deny deny deny'],
    [write('.env'), 'deny deny deny deny', 'deny deny deny deny'],
    [shell('ls'), 'deny allow allow allow', 'deny deny deny allow'],
    [shell('ls && pwd'), 'deny allow allow allow', 'deny deny deny allow'],
    [shell('git status'), 'deny allow allow allow', 'deny deny deny allow'],
    [shell('git push'), 'deny ask ask allow', 'deny deny deny allow'],
    [shell('npm test'), 'deny ask ask allow', 'deny deny deny allow'],
    [shell('ls && npm test'), 'deny ask ask allow', 'deny deny deny allow'],
    [shell('rm -rf build'), 'deny ask ask allow', 'deny deny deny allow'],
    [shell('echo x > out.txt'), 'deny ask allow allow', 'deny deny deny allow'],
    [shell('cat $FILE'), 'deny ask ask ask', 'deny deny deny ask'],
    [shell('cat ../other.txt'), 'deny ask ask allow', 'deny deny deny allow'],
    [shell('if'), 'deny ask ask ask', 'deny deny deny ask'],
    [shell('cat .env'), 'deny deny deny deny', 'deny deny deny deny'],
    [shell('echo x > .git/hooks/pre-commit'), 'deny deny deny deny', 'deny deny deny deny'],
  ])('say of %j: %s, and without a person: %s [policy.modes]', async (words, attended, unattended) => {
    await using project = await makeProject();
    const explain = async (...flags: readonly string[]): Promise<string> => {
      const {stdout} = await runGemini(['policy', 'explain', ...words, '--json', ...flags], {
        cwd: project.path,
        home: project.path,
      });
      const {modes} = JSON.parse(stdout) as {modes: readonly {mode: string; decision: string}[]};
      expect(modes.map(({mode}) => mode)).toEqual(['plan', 'default', 'auto_edit', 'yolo']);
      return modes.map(({decision}) => decision).join(' ');
    };
    expect([await explain(), await explain('--headless')]).toEqual([attended, unattended]);
  });
});

describe('without a person', () => {
  // '' = it ran; else the rule that the refusal names.
  test.concurrent.each<readonly [string, readonly string[], string]>([
    ['default', read('a.txt'), ''],
    ['default', read('.env'), 'env-files'],
    ['default', write('new.txt'), 'no-changes-unasked'],
    ['default', shell('ls'), 'no-changes-unasked'],
    ['auto_edit', write('.git/hooks/x'), 'git-folder'],
    ['auto_edit', write('new.txt'), ''],
    ['auto_edit', replace, ''],
    ['auto_edit', write('package.json'), 'build-files'],
    ['auto_edit', write('node_modules/x/y'), 'dependencies'],
    ['auto_edit', shell('npm test'), 'no-changes-unasked'],
    ['plan', read('a.txt'), ''],
    ['plan', read('.env'), 'env-files'],
    ['plan', write('new.txt'), 'plan-other-files'],
    ['plan', shell('ls'), 'plan-only-reading'],
    ['yolo', shell('rm -rf build'), ''],
    ['yolo', shell('echo x > out.txt'), ''],
    ['yolo', write('new.txt'), ''],
    ['yolo', read('.env'), 'env-files'],
    ['yolo', shell('cat .env'), 'env-files'],
    ['yolo', write('package.json'), 'build-files'],
    ['yolo', shell('cp a.txt .git/hooks/x'), 'git-folder'],
  ])('in the mode %s a call of %j runs, or is refused by the rule "%s" [policy.modes]', async (mode, words, rule) => {
    await using project = await makeProject();
    const {code, stdout, stderr} = await runGemini(['tools', 'call', ...words, '--approval-mode', mode], {
      cwd: project.path,
      home: project.path,
    });
    const said =
      /^Error: The call was refused.*\(rule ([\w-]+), Default: [\w-]+\.toml:\d+\)/.exec(stderr)?.[1] ?? stderr;
    expect({code, said, secret: stdout.includes('secret')}).toEqual({
      code: rule === '' ? 0 : 1,
      said: rule,
      secret: false,
    });
  });
});

describe('with a person at the terminal', () => {
  const sit = async (
    cwd: string,
    words: readonly string[],
    {answer = '', mode = 'default'} = {},
  ): Promise<{code: number | null; asked: boolean}> => {
    const {code, screen} = await runAtTerminal(['tools', 'call', ...words, '--approval-mode', mode], {
      cwd,
      prompt: PROMPT,
      answer,
      variables: {NO_COLOR: '1'},
    });
    return {code, asked: screen.includes(PROMPT)};
  };

  atTerminal.each<readonly [string, readonly string[], string, number, boolean]>([
    ['default', read('a.txt'), '', 0, false],
    ['default', shell('ls'), '', 0, false],
    ['default', read('.env'), '', 1, false],
    ['default', write('new.txt'), 'y\r', 0, true],
    ['default', write('new.txt'), 'n\r', 1, true],
    ['default', shell('rm -rf build'), 'y\r', 0, true],
    ['default', shell('rm -rf build'), '\r', 1, true],
    ['auto_edit', write('new.txt'), '', 0, false],
    ['auto_edit', write('package.json'), 'n\r', 1, true],
    ['auto_edit', shell('npm --version && rm -rf build'), 'n\r', 1, true],
    ['plan', write('new.txt'), '', 1, false],
    ['yolo', shell('rm -rf build'), '', 0, false],
    ['yolo', write('package.json'), 'y\r', 0, true],
    ['yolo', read('.env'), '', 1, false],
  ])(
    'in the mode %s %j, answered with %j, ends with %i; asked: %s [policy.modes]',
    async (mode, words, answer, code, asked) => {
      await using project = await makeProject();
      const ended = await sit(project.path, words, {mode, answer});
      const isMade = existsSync(join(project.path, 'new.txt'));
      const isGone = !existsSync(join(project.path, 'build'));
      expect({...ended, isMade, isGone}).toEqual({
        code,
        asked,
        isMade: code === 0 && words.includes('file_path=new.txt'),
        isGone: code === 0 && words.includes('command=rm -rf build'),
      });
    },
  );

  atTerminal.each<readonly [readonly string[], readonly string[]]>([
    [shell('touch a.txt'), shell('mkdir b')],
    [shell('npm run lint'), shell('npm publish')],
    [shell('git add a.txt'), shell('git push')],
    [shell('node --eval 1'), shell('node --eval 2')],
    [write('a.txt'), write('b.txt')],
    [write('package.json'), write('build/package.json')],
  ])(
    'what is always allowed runs without a question next time: %j, and something else asks: %j [policy.always]',
    async (words, other) => {
      await using project = await makeProject();
      expect(await sit(project.path, words, {answer: 'a\r'})).toMatchObject({asked: true});
      expect(await readFile(join(project.path, '.gemini', 'policies', 'auto-saved.toml'), 'utf8')).toContain(
        'decision = "allow"',
      );
      expect(await sit(project.path, words)).toMatchObject({asked: false});
      expect(await sit(project.path, other, {answer: 'n\r'})).toEqual({code: 1, asked: true});
    },
  );

  atTerminal.each<readonly [string, readonly string[]]>([
    ['a file', write('a.txt')],
    ['several commands', shell('touch a.txt && npm run lint')],
  ])('the rules shown for %s are, byte for byte, what the file gets [policy.shown]', async (_, words) => {
    await using project = await makeProject();
    const {screen} = await runAtTerminal(['tools', 'call', ...words], {
      cwd: project.path,
      prompt: PROMPT,
      answer: 'a\r',
      variables: {NO_COLOR: '1'},
    });
    const file = join(project.path, '.gemini', 'policies', 'auto-saved.toml');
    const head = `session saves, until the session ends:\nalways saves, for good, in ${file}:\n`;
    expect(screen.replaceAll('\r', '')).toContain(head + (await readFile(file, 'utf8')));
  });

  atTerminal(
    'where settings turn "always" off, it is not offered, and the reason is shown [policy.always]',
    async () => {
      await using project = await makeProject();
      await mkdir(join(project.path, '.gemini'));
      await writeFile(join(project.path, '.gemini', 'settings.json'), '{"security": {"disableAlwaysAllow": true}}');
      const {code, screen} = await runAtTerminal(['tools', 'call', ...write('new.txt')], {
        cwd: project.path,
        prompt: PROMPT,
        answer: 'y\r',
      });
      expect({
        code,
        offered: screen.includes('[a]lways'),
        said: screen.includes('always is not available: the setting security.disableAlwaysAllow is on.'),
      }).toEqual({code: 0, offered: false, said: true});
      expect(existsSync(join(project.path, '.gemini', 'policies'))).toBe(false);
      expect(await sit(project.path, write('new.txt'), {answer: 'n\r'})).toEqual({code: 1, asked: true});
    },
  );
});
