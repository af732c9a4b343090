import {execFile} from 'node:child_process';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect} from '@jest/globals';
import type {FormReply, SentForm} from '@gemini-kernel/kernel';
import type {TestKernel, TestKernelOptions} from '@gemini-kernel/kernel/testing';
import {findRefusal} from '#plugins/sandbox/dist/linux/find-refusal.js';
import {checkout, pluginRoot} from '../../helpers/plugin-root.js';
import {where} from '../../helpers/where.js';
import {openSandbox, output, testConfined} from './open-sandbox.js';

/** Not in a folder for temporary files, which a command sees empty. */
let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(process.getuid?.() === 0 ? '/opt' : '/dev/shm', 'gemini-paths-')));
});
afterEach(() => rmSync(folder, {recursive: true}));

interface Asked {
  readonly forms: SentForm[];
  readonly kernel: TestKernel;
}

/** A kernel whose person gives these answers, then none. */
async function open(answers: readonly string[], options: Partial<TestKernelOptions> = {}): Promise<Asked> {
  const [forms, left]: [SentForm[], string[]] = [[], [...answers]];
  const answer = (form: SentForm): FormReply => {
    forms.push(form);
    const value = left.shift();
    return value === undefined ? {outcome: 'closed'} : {outcome: 'answered', values: {answer: value}};
  };
  return {forms, kernel: await openSandbox({answer, ...options})};
}

const settingsOf = (kernel: TestKernel): unknown =>
  JSON.parse(readFileSync(join(kernel.home, '.gemini', 'settings.json'), 'utf8'));

const testAsRoot = where(process.getuid?.() === 0, 'root, who can write where a user cannot look');

describe('a path that is read-only for a command', () => {
  testConfined('is asked about while the call waits, and then written [sandbox.paths]', async () => {
    const {kernel, forms} = await open(['once', 'once']);
    await using _ = kernel;
    writeFileSync(join(folder, 'old'), 'old');
    const line = `echo new > ${folder}/old; mkdir ${folder}/made; cd ${folder}; echo x > made/x; cat old; exit 3`;
    expect(await output(kernel, line)).toBe('Output: new\nExit Code: 3');
    expect(forms).toMatchObject([
      {title: `A command wants to write ${folder}/old.`, about: {kind: 'sandbox-path', path: `${folder}/old`}},
      {title: `A command wants to write in ${folder}.`, about: {kind: 'sandbox-path', path: folder}},
    ]);
    expect(forms[1]?.text).toContain('"made"');
    expect(readFileSync(join(folder, 'made', 'x'), 'utf8')).toBe('x\n');
    // The answers were about that command.
    expect(await output(kernel, `echo again > ${folder}/old`)).toContain('Read-only file system');
    expect(forms).toHaveLength(3);
  });

  testConfined(
    'is opened to a program that has opened the folder, not to one that works in it [sandbox.paths]',
    async () => {
      const {kernel, forms} = await open(['once', 'once']);
      await using _ = kernel;
      // cp opens the folder first, and names what it makes in it.
      expect(await output(kernel, `echo x > a; cp a ${folder}; cat ${folder}/a`)).toBe('Output: x');
      const line = `cd ${folder} && mkdir made && ls -d made`;
      expect(await output(kernel, line)).toContain(
        `Refused Path: ${folder} (it is granted now; run the command again)`,
      );
      expect(await output(kernel, line)).toBe('Output: made');
      expect(forms).toHaveLength(2);
    },
  );

  testConfined('is not opened by a link that stands there when the answer comes [sandbox.paths]', async () => {
    const sub = join(folder, 'sub');
    mkdirSync(sub);
    writeFileSync(join(sub, 'settings.json'), 'old');
    const kernel = await openSandbox({
      files: {'.vscode/settings.json': '{}'},
      answer() {
        renameSync(sub, join(folder, 'moved'));
        symlinkSync(join(kernel.project, '.vscode'), sub);
        return {outcome: 'answered', values: {answer: 'once'}};
      },
    });
    await using _ = kernel;
    const line = `echo a > ${sub}/settings.json; echo b > .vscode/settings.json; ls -l ${folder}`;
    expect(await output(kernel, line)).toContain('sub -> ');
    expect(readFileSync(join(kernel.project, '.vscode', 'settings.json'), 'utf8')).toBe('{}');
  });

  testConfined('is granted for the session, or for good in the settings [sandbox.paths]', async () => {
    const {kernel, forms} = await open(['session', 'always']);
    await using _ = kernel;
    const [one, other] = ['one', 'other'].map((name) => join(folder, name)) as [string, string];
    for (const path of [one, other]) mkdirSync(path);
    for (const name of ['a', 'b']) await output(kernel, `touch ${one}/${name}`);
    expect(forms).toHaveLength(1);
    for (const name of ['c', 'd']) await output(kernel, `touch ${other}/${name}`);
    expect(forms).toHaveLength(2);
    expect(settingsOf(kernel)).toEqual({tools: {sandboxAllowedPaths: [other]}});
    expect([readdirSync(one), readdirSync(other)]).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  testConfined('is refused by an answer, once for a command, and named in the result [sandbox.paths]', async () => {
    const {kernel, forms} = await open(['no']);
    await using _ = kernel;
    const text = await output(kernel, `touch ${folder}/a; touch ${folder}/b; mkdir -p ${folder}/__pycache__`);
    expect(text).toContain(`Unwritable Paths: ${folder} (by the sandbox; additional_permissions`);
    expect(forms).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  testConfined('is not asked about where no answer can grant it, and the reason is named [sandbox.paths]', async () => {
    const {kernel, forms} = await open([], {files: {'.vscode/settings.json': '{}'}});
    await using _ = kernel;
    const text = await output(
      kernel,
      'git init -q sub 2>&1; echo x > .vscode/a; echo x > /proc/sys/kernel/core_pattern',
    );
    expect(text).toContain(`Refused Path: ${kernel.project}/.vscode (other programs obey it)`);
    expect(text).toContain('Refused Path: /proc/sys/kernel/core_pattern (it belongs to the system)');
    expect(forms).toEqual([]);
  });

  testConfined('is refused where no one can answer, with what would grant it [sandbox.paths]', async () => {
    const {kernel, forms} = await open(['once'], {
      ...({confirm: undefined} as unknown as Partial<TestKernelOptions>),
      plugins: ['settings', 'trust', 'workspace', 'secrets', 'policy', 'sandbox', 'shell'].map(pluginRoot),
      files: {'touch.js': `require('fs').writeFileSync('${folder}/a', '')`},
      homeFiles: {'.gemini/policies/mine.toml': '[[rule]]\ncommandPrefix = "node touch.js"\ndecision = "allow"\n'},
    });
    await using _ = kernel;
    expect(await output(kernel, 'node touch.js')).toMatch(
      new RegExp(`Unwritable Paths: ${folder} \\(.*tools\\.sandboxAllowedPaths, or with sandbox = \\{write`),
    );
    expect(forms).toEqual([]);
  });

  testConfined('is what the mounts refuse, not what a program says [sandbox.paths]', async () => {
    const lie = `
      const net = require('node:net');
      const say = (text) => new Promise((resolve) => {
        const socket = net.connect('/run/gemini-ask', () => socket.write(text));
        socket.on('data', (data) => console.log(String(data))).on('close', resolve).on('error', resolve);
        if (!text.includes('\\0\\0')) socket.end(text);
      });
      (async () => { for (const text of JSON.parse(process.argv[2])) await say(text); })();`;
    const {kernel, forms} = await open(['once', 'once', 'once'], {files: {'lie.js': lie}});
    await using _ = kernel;
    const said = [kernel.project, `${kernel.home}/.ssh`, '/etc/../etc', '/none', 'etc', '', '/etc\n'];
    const texts = [...said.map((path) => `${path}\0\0`), '/etc', '\0', 'x'.repeat(9000), '/etc\0a\0more'];
    expect(await output(kernel, `node lie.js ${`'${JSON.stringify(texts)}'`}`)).toMatch(/^Output: (?:n\n?)+$/);
    expect(forms).toEqual([]);
  });
});

testConfined(
  'a command ends as without questions: with its code, its signal, and its output [sandbox.paths]',
  async () => {
    const {kernel} = await open([]);
    await using _ = kernel;
    expect(await output(kernel, 'exit 7')).toContain('Exit Code: 7');
    expect(await output(kernel, 'kill -SEGV $$')).toContain('Exit Code: 139');
    expect(await output(kernel, 'trap "echo ended; exit 4" TERM; kill 0')).toMatch(/ended\nExit Code: 4/);
    // Neither a process that stays nor one that closes its output holds the end up.
    expect(await output(kernel, '(sleep 30; touch late) & exec >&- 2>&-; exit 5')).toContain('Exit Code: 5');
  },
);

testAsRoot('an ordinary user is asked too, and what is protected below the path stays so [sandbox.paths]', async () => {
  const [user, project, home] = [1234, join(folder, 'project'), realpathSync(mkdtempSync('/opt/gemini-home-'))];
  for (const path of ['project', 'project/.git', 'project/.git/hooks']) mkdirSync(join(folder, path));
  writeFileSync(join(project, '.env'), 'SECRET');
  for (const path of [folder, home, project, ...['.env', '.git', '.git/hooks'].map((name) => join(project, name))])
    chownSync(path, user, user);
  const lines = [
    ...['mkdir ../made', 'echo hi > ../made/x', 'cat ../made/x', 'cat .env'],
    ...['echo x > .git/hooks/a', `echo x > ${project}/.git/hooks/a`, 'echo x > .env', 'exit 9'],
  ];
  const words = [
    process.execPath,
    join(checkout, 'test/plugins/sandbox/watched-program.mjs'),
    project,
    lines.join('\n'),
  ];
  const drop = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--'];
  const env = {PATH: process.env['PATH'], HOME: home, TMPDIR: '/tmp'};
  const {stdout} = await promisify(execFile)('setpriv', [...drop, ...words], {env, cwd: '/'}).finally(() =>
    rmSync(home, {recursive: true}),
  );
  expect(JSON.parse(stdout)).toEqual({
    printed: 'hi\n',
    code: 9,
    asked: [
      {path: folder, name: 'made'},
      {path: `${project}/.git/hooks`, name: 'a', fault: 'git obeys it'},
    ].concat([{path: `${project}/.git/hooks`, name: 'a', fault: 'git obeys it'}]),
  });
  expect(readdirSync(join(project, '.git', 'hooks'))).toEqual([]);
});

testConfined('a path counts by the mount that holds it, and by what it is [sandbox.paths]', () => {
  const home = join(folder, 'home');
  for (const path of ['home', 'home/tools', 'shown', 'plain']) mkdirSync(join(folder, path));
  const plan = {
    network: {reach: 'none', why: ''} as const,
    mounts: [
      {kind: 'read', path: '/', why: 'programs and libraries of this machine'},
      {kind: 'fresh', path: home, why: 'your home'},
      {kind: 'read', path: join(home, 'tools'), why: 'tools in your home'},
      {kind: 'read', path: join(folder, 'shown'), why: 'a rule'},
    ] as const,
  };
  const find = (path: string): unknown =>
    findRefusal({path: join(folder, path), name: ''}, {plan, grants: [{from: 'a rule'}], home});
  expect(find('home/tools')).toEqual({path: join(home, 'tools')});
  expect(find('shown')).toEqual({path: join(folder, 'shown')});
  expect(find('plain')).toEqual({path: join(folder, 'plain')});
  expect(find('.')).toMatchObject({fault: 'it contains your home'});
  expect(find('home')).toBeUndefined();
  expect(find('none')).toBeUndefined();
});
