import {mkdtemp, readdir, readFile, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {createTestKernel, type TestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-settings/contract';
import fc from 'fast-check';
import picomatch from 'picomatch';
import {pluginRoot} from '../../../helpers/plugin-root.js';
import type {Rule} from '#plugins/policy/dist/rule.js';
import {narrowApproval} from '#plugins/policy/dist/read/narrow-approval.js';
import {appendApprovals, autoSavedFileOf} from '#plugins/policy/dist/read/auto-saved.js';
import {readRules} from '#plugins/policy/dist/read/read-rules.js';

type Call = Parameters<typeof narrowApproval>[0];

const words = (
  line: string,
): {
  words: {raw: string; value: string | undefined}[];
  text: string;
  via: string[];
  directories: string[];
  isStrange: boolean;
} => ({
  words: line.split(' ').map((raw) => ({raw, value: raw.startsWith('$') ? undefined : raw})),
  text: line,
  via: [],
  directories: ['/w'],
  isStrange: false,
});
const shell = (...lines: string[]): Call => ({
  tool: 'run_shell_command',
  mode: 'default',
  touches: [],
  commands: lines.map(words),
});
const file = (tool: string, path: string): Call => ({
  tool,
  mode: 'default',
  touches: [{kind: 'path', value: path, access: 'write'}],
});

describe('what is kept of an approved shell line', () => {
  const prefix = (text: string): object => ({prefix: text});
  const exact = (text: string): object => ({pattern: `${text}$`, anchored: true});
  test.each<[string, object[]]>([
    ['ls -la src', [prefix('ls')]],
    ['jest --watch', [prefix('jest')]],
    ['git push origin main', [prefix('git push')]],
    ['git status', [prefix('git status')]],
    ['git -C ../other push', [exact('git -C \\.\\.\\/other push')]],
    ['git', [exact('git')]],
    ['git stash pop', [prefix('git stash pop')]],
    ['git config user.name x', [exact('git config user\\.name x')]],
    ['git rebase -i HEAD~3', [exact('git rebase -i HEAD~3')]],
    ['npm test', [prefix('npm test')]],
    ['npm run build -- --prod', [prefix('npm run build')]],
    ['npm run', [exact('npm run')]],
    ['npm install', [exact('npm install')]],
    ['npm install left-pad', [exact('npm install left-pad')]],
    ['cargo build --release', [prefix('cargo build')]],
    ['cargo run', [exact('cargo run')]],
    ['go test ./...', [prefix('go test')]],
    ['docker compose up -d', [prefix('docker compose up')]],
    ['docker run -it alpine', [exact('docker run -it alpine')]],
    ['gh pr view 5', [prefix('gh pr view')]],
    ['kubectl get pods', [prefix('kubectl get')]],
    ['make test', [exact('make test')]],
    ['bash -c ls', [exact('bash -c ls')]],
    ['sudo ls', [exact('sudo ls')]],
    ['env', [exact('env')]],
    ['xargs rm', [exact('xargs rm')]],
    ['python3.11 x.py', [exact('python3\\.11 x\\.py')]],
    ['NODE.EXE x', [exact('NODE\\.EXE x')]],
    ['./deploy.sh staging', [exact('\\.\\/deploy\\.sh staging')]],
    ['/bin/ls', [exact('\\/bin\\/ls')]],
    ['rm build', [exact('rm build')]],
    ['curl https://x.y/z?a=(b)', [exact('curl https:\\/\\/x\\.y\\/z\\?a=\\(b\\)')]],
    ['echo $HOME', []],
    ['$cmd x', []],
    [`echo ${'x'.repeat(3000)}`, [prefix('echo')]],
    [`rm ${'x'.repeat(3000)}`, []],
  ])('%.40s', (line, commands) => {
    expect(narrowApproval(shell(line)).map(({command}) => command)).toEqual(commands);
  });

  test('is one rule for each different command, or no rule when one of them is unknown', () => {
    const rules = narrowApproval({
      ...shell('git status', 'git status -s', 'npm t'),
      redirects: true,
      root: '/w (1)',
      mode: 'auto_edit',
    });
    const rule = {
      id: 'Approved for good',
      source: {tier: 'session', label: 'Approved for good'},
      tools: ['run_shell_command'],
      workspaceRoot: ['/w \\(1\\)'],
      decision: 'allow',
      priority: 950,
      modes: ['auto_edit', 'yolo'],
      allowRedirection: true,
      sensitive: false,
    };
    expect(rules).toEqual([
      {...rule, command: {prefix: 'git status'}},
      {...rule, command: {prefix: 'npm t'}},
    ]);
    expect([
      narrowApproval(shell('git status', 'echo $X')),
      narrowApproval({...shell(), commands: []}),
      narrowApproval({tool: 'run_shell_command', mode: 'default', touches: []}),
    ]).toEqual([[], [], []]);
  });
});

test.each<[string, Call, object[]]>([
  ['a file', file('write_file', '/w/a [1].ts'), [{tools: ['write_file'], path: ['/w/a \\[1\\].ts']}]],
  ['a file on Windows', file('write_file', 'C:\\w\\a.ts'), [{tools: ['write_file'], path: ['C:/w/a.ts']}]],
  [
    'several files',
    {
      tool: 'read_many_files',
      mode: 'default',
      touches: [
        {kind: 'path', value: '/a', access: 'read'},
        {kind: 'path', value: '/b', access: 'read'},
        {kind: 'path', value: '/a', access: 'read'},
      ],
    },
    [{tools: ['read_many_files'], path: ['/a', '/b']}],
  ],
  ['no file of a tool that could reach all', {tool: 'read_file', mode: 'default', touches: []}, []],
  [
    'a tool of a server',
    {tool: 'mcp_s_t', server: 's', mode: 'default', touches: []},
    [{tools: ['mcp_s_t'], server: 's'}],
  ],
  [
    'another tool',
    {tool: 'web_fetch', mode: 'default', touches: [{kind: 'url', value: 'https://x', access: 'read'}]},
    [{tools: ['web_fetch']}],
  ],
])('what is kept of an approved call: %s', (_, call, rules) => {
  const rest = {
    id: 'Approved for good',
    source: {tier: 'session', label: 'Approved for good'},
    decision: 'allow',
    priority: 950,
    modes: ['default', 'auto_edit', 'yolo'],
    allowRedirection: false,
    sensitive: false,
  };
  expect(narrowApproval(call)).toEqual(rules.map((rule) => ({...rest, ...rule})));
});

async function withKernel(
  text: string | undefined,
  act: (kernel: TestKernel, path: string) => Promise<void>,
): Promise<void> {
  await using kernel = await createTestKernel({
    plugins: [pluginRoot('settings')],
    ...(text === undefined ? {} : {homeFiles: {'.gemini/policies/auto-saved.toml': text}}),
  });
  await act(kernel, autoSavedFileOf(kernel.home));
}
const append = async (kernel: TestKernel, path: string, rules: readonly Rule[]): ReturnType<typeof appendApprovals> =>
  appendApprovals(path, rules, await kernel.service('config-files'));
const BLOCK =
  '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "git push"\nmodes = ["default", "autoEdit", ' +
  '"yolo"]\ndecision = "allow"\npriority = 950\n';

describe('the file of approvals', () => {
  test('is made with its folder', async () => {
    await withKernel(undefined, async (kernel, path) => {
      expect(await append(kernel, path, narrowApproval(shell('git push')))).toEqual({added: 1});
      expect(await readFile(path, 'utf8')).toBe(BLOCK);
    });
  });

  test.each<[string, string, string]>([
    ['with comments', '# mine\n[[rule]] # one\ntoolName = "x"\ndecision = "deny"\npriority = 1 # end', `\n\n${BLOCK}`],
    ['with line ends of Windows', '# mine\r\n', `\r\n${BLOCK.replaceAll('\n', '\r\n')}`],
    ['that is empty', '', BLOCK],
  ])('%s keeps every byte and has the rule at its end', async (_, text, added) => {
    await withKernel(text, async (kernel, path) => {
      await append(kernel, path, narrowApproval(shell('git push')));
      expect(await readFile(path, 'utf8')).toBe(text + added);
    });
  });

  test('has no rule twice, but one more for modes that are not there yet', async () => {
    await withKernel(BLOCK, async (kernel, path) => {
      const same = await append(kernel, path, narrowApproval(shell('git push --force')));
      const fewer = await append(kernel, path, narrowApproval({...shell('git push'), mode: 'yolo'}));
      const more = await append(kernel, path, narrowApproval({...shell('git push'), mode: 'plan'}));
      expect([same, fewer, more]).toEqual([{added: 0}, {added: 0}, {added: 1}]);
    });
  });

  test('that is not TOML is set aside, and the next one as well', async () => {
    await withKernel('[[rule\n', async (kernel, path) => {
      const first = await append(kernel, path, narrowApproval(shell('git push')));
      await (await kernel.service('config-files')).replace(path, BLOCK, 'again [');
      const second = await append(kernel, path, narrowApproval(shell('git push')));
      expect([first, second]).toEqual([
        {added: 1, backup: `${path}.bak`},
        {added: 1, backup: `${path}.bak2`},
      ]);
      expect([
        await readFile(`${path}.bak`, 'utf8'),
        await readFile(`${path}.bak2`, 'utf8'),
        await readFile(path, 'utf8'),
      ]).toEqual(['[[rule\n', 'again [', BLOCK]);
    });
  });

  test('in which no rule can be added is left as it is', async () => {
    await withKernel('rule = []\n', async (kernel, path) => {
      await expect(append(kernel, path, narrowApproval(shell('git push')))).rejects.toMatchObject({
        code: 'POLICY_UNWRITABLE',
        message: `The approval cannot be kept in ${path}: it would not say what was approved.`,
      });
      expect([await readFile(path, 'utf8'), await readdir(join(kernel.home, '.gemini', 'policies'))]).toEqual([
        'rule = []\n',
        ['auto-saved.toml'],
      ]);
    });
  });

  test('loses none of many approvals at once', async () => {
    await withKernel(undefined, async (kernel, path) => {
      const names = ['ls', 'cat', 'jest', 'tsc', 'eslint', 'pytest'];
      await Promise.all(names.map((name) => append(kernel, path, narrowApproval(shell(name)))));
      const {rules} = readRules(await readFile(path, 'utf8'), {tier: 'user', file: path, label: 'x', knownTools: []});
      expect(rules.map(({command}) => command && 'prefix' in command && command.prefix).sort()).toEqual(names.sort());
    });
  });

  test('gives back the rule that was approved, which matches the same call and no other path', async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'saved-')));
    const texts = new Map<string, string>();
    // What the service does, without a disk, so that many can be tried.
    const files = {
      read: async (path: string) => texts.get(path),
      replace: async (path: string, before: string | undefined, after: string) =>
        texts.get(path) === before && texts.set(path, after) !== undefined,
    };
    const part = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        ' ',
        '[',
        ']',
        '(',
        '!',
        '*',
        '?',
        '{',
        '}',
        '"',
        "'",
        '$',
        '\\',
        '\u007f',
        'ü',
        '😀',
        '\n',
      ),
      minLength: 1,
      maxLength: 5,
    });
    const path = fc.array(part, {minLength: 1, maxLength: 3}).map((parts) => `/${parts.join('/')}`);
    const call = fc.oneof(
      path.map((one) => file('write_file', one)),
      fc.tuple(fc.constantFrom('s', 'my server', 'a-b'), fc.constantFrom('t', 'get_x')).map(([server, tool]): Call => ({
        tool: `mcp_${server.replace(' ', '_')}_${tool}`,
        server,
        mode: 'plan',
        touches: [],
      })),
      part.map((text): Call => ({...shell('rm'), commands: [{...words('rm'), text: `rm ${text}`}]})),
    );
    await fc.assert(
      fc.asyncProperty(call, path, async (one, other) => {
        texts.clear();
        const rules = narrowApproval(one);
        await appendApprovals(join(base, 'x.toml'), rules, files);
        const set = readRules(texts.get(join(base, 'x.toml')) ?? '', {
          tier: 'user',
          file: 'x',
          label: 'x',
          knownTools: [one.tool],
        });
        expect(set.problems).toEqual([]);
        const strip = ({id: _, source: __, ...rest}: Rule): object => rest;
        expect(set.rules.map(strip)).toEqual(rules.map(strip));
        const [glob] = set.rules[0]?.path ?? [];
        const value = one.touches[0]?.value;
        if (glob !== undefined && value !== undefined)
          expect([picomatch(glob, {dot: true})(value), picomatch(glob, {dot: true})(other)]).toEqual([
            true,
            value === other,
          ]);
      }),
      {numRuns: 400},
    );
    await rm(base, {recursive: true});
  });
});
