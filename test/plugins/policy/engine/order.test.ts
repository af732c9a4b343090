import {describe, expect, test} from '@jest/globals';
import type {Circumstances, Judged} from '../../../../plugins/policy/src/engine/judge-part.js';
import type {Rule} from '../../../../plugins/policy/src/rule.js';
import {decide, Engine, here, makeCall, makeLine, makeRule, world} from './make.js';

const allow = {decision: 'allow'} as const;
const ask = {decision: 'ask'} as const;
const deny = {decision: 'deny'} as const;

describe('of the rules that match', () => {
  test.each([
    [
      'the one of the higher priority decides',
      [
        {...allow, priority: 200},
        {...deny, priority: 100},
      ],
      'allow',
    ],
    [
      'the one of the stronger tier decides, whatever its priority',
      [
        {...allow, tier: 'default', priority: 999},
        {...ask, tier: 'user', priority: 0},
      ],
      'ask',
    ],
    [
      "an administrator's outranks the user's",
      [
        {...allow, tier: 'user', priority: 999},
        {...deny, tier: 'admin', priority: 0},
      ],
      'deny',
    ],
    ['of equals inside a tier the stricter decides', [allow, deny, ask], 'deny'],
    [
      "what a person allowed for the session outranks the product's",
      [
        {...ask, tier: 'default', priority: 999},
        {...allow, tier: 'session', priority: 950},
      ],
      'allow',
    ],
    [
      "and yields to the user's files",
      [
        {...deny, tier: 'user', priority: 0},
        {...allow, tier: 'session', priority: 950},
      ],
      'deny',
    ],
    [
      'a rule of the project can ask',
      [
        {...allow, tier: 'default'},
        {...ask, tier: 'workspace'},
      ],
      'ask',
    ],
    [
      'a rule of the project does not make a denied call one that is asked',
      [
        {...deny, tier: 'default'},
        {...ask, tier: 'workspace'},
      ],
      'deny',
    ],
    [
      'a rule of the project yields to one of the user',
      [
        {...allow, tier: 'user'},
        {...deny, tier: 'workspace'},
      ],
      'allow',
    ],
    ['a rule of an extension that allows is nothing', [{...allow, tier: 'extension'}], 'ask'],
    [
      'of several that tighten the strictest counts, whatever their order',
      [
        {...allow, tier: 'default'},
        {...ask, tier: 'workspace', priority: 900},
        {...deny, tier: 'extension', priority: 1},
      ],
      'deny',
    ],
  ] as const)('%s [policy.order]', async (_, rules, decision) => {
    const made = rules.map(makeRule);
    expect(await decide(made, makeCall('write_file'))).toBe(decision);
    expect(await decide([...made].reverse(), makeCall('write_file'))).toBe(decision);
  });

  test.each([
    ['a person is asked', {interactive: true}, 'ask'],
    ['without a person it is denied', {interactive: false}, 'deny'],
    ['yolo allows it', {mode: 'yolo'}, 'allow'],
  ] as const)('when there is none, %s [policy.no-rule]', async (_, circumstances, decision) => {
    expect(await decide([], makeCall('write_file'), circumstances)).toBe(decision);
  });
});

describe('conditions', () => {
  test.each([
    ['read_*', 'read_file', true],
    ['read_*', 'write_file', false],
    ['mcp_*_search', 'mcp_docs_search', true],
    ['mcp_*_search', 'mcp_docs_searcher', false],
    ['discovered_tool_*', 'discovered_tool_x', true],
    ['*', 'anything', true],
    ['*file*', 'read_many_files', true],
    ['a*a', 'a', false],
    ['search_file_content', 'grep_search', true],
  ])('the tool pattern %s means %s: %s [policy.wildcards]', async (tool, name, means) => {
    expect(await decide([makeRule({...deny, tools: [tool]})], makeCall(name))).toBe(means ? 'deny' : 'ask');
  });

  const cases: readonly [string, Partial<Rule>, Partial<Judged>, Partial<Circumstances>][] = [
    ['mode', {modes: ['plan']}, {}, {mode: 'plan'}],
    ['a person', {interactive: false}, {}, {interactive: false}],
    ['trust', {trusted: false}, {}, {trusted: false}],
    ['server', {server: 'docs'}, {server: 'other'}, {}],
    ['subagent', {subagent: 'helper'}, {}, {}],
    ['annotations', {annotations: {readOnlyHint: true}}, {annotations: {readOnlyHint: false}}, {}],
    ['exception', {except: ['write_*']}, {}, {}],
    ['effect', {effect: ['read']}, {}, {}],
    ['workspace root', {workspaceRoot: ['/elsewhere']}, {}, {}],
    ['arguments', {args: '"file_path":"b'}, {input: {file_path: 'a'}}, {}],
  ];
  test.each(cases)(
    '%s: a call that it does not fit is not meant [policy.conditions]',
    async (_, conditions, call, fitting) => {
      const rules = [makeRule({...deny, ...conditions})];
      expect(await decide(rules, makeCall('write_file', ['/work/a'], call))).toBe('ask');
      const fit = {
        server: 'docs',
        subagent: 'helper',
        annotations: {readOnlyHint: true},
        input: {file_path: 'b'},
        effect: 'read',
      } as const;
      const root = conditions.workspaceRoot ? {roots: ['/elsewhere']} : {};
      expect(
        await decide(
          rules,
          makeCall(conditions.except ? 'replace' : 'write_file', [`${root.roots?.[0] ?? '/work'}/a`], fit),
          {...fitting, ...root},
        ),
      ).toBe('deny');
    },
  );

  test('a server is also known by the name of its tool', async () => {
    expect(await decide([makeRule({...deny, server: 'docs'})], makeCall('mcp_docs_find'))).toBe('deny');
  });

  test('an agent is meant by its name', async () => {
    expect(
      await decide(
        [makeRule({...deny, tools: ['reviewer']})],
        makeCall('invoke_agent', [], {input: {agent_name: 'reviewer'}}),
      ),
    ).toBe('deny');
  });

  test.each([
    ['/work/src/**', '/work/src/a/b.ts', 'deny'],
    ['/work/src/**', '/work/srcs/a.ts', 'ask'],
    ['src/*.ts', '/work/src/a.ts', 'deny'],
    ['src/*.ts', '/elsewhere/src/a.ts', 'ask'],
    ['**/.env*', '/work/.env.local', 'deny'],
    ['**/.git/**', '/work/sub/.git/config', 'deny'],
    ['**/*.{pem,key}', '/work/a.key', 'deny'],
    ['**', '/work/.hidden/x', 'deny'],
  ])('the path %s and %s: %s [policy.paths]', async (path, touched, decision) => {
    expect(await decide([makeRule({...deny, path: [path]})], makeCall('write_file', [touched]))).toBe(decision);
  });

  test('allowing needs every path to match, refusing one [policy.paths]', async () => {
    const both = makeCall('read_many_files', ['/work/a', '/work/b']);
    expect(await decide([makeRule({...allow, path: ['a']})], both)).toBe('ask');
    expect(await decide([makeRule({...allow, path: ['*']})], both)).toBe('allow');
    expect(await decide([makeRule({...allow, priority: 1}), makeRule({...deny, path: ['b']})], both)).toBe('deny');
  });
});

describe('a sensitive rule', () => {
  const secret = makeRule({...deny, tier: 'default', path: ['**/.env'], sensitive: true});
  test.each([
    ["holds against a user's rule for the whole tool", makeRule({...allow, priority: 999}), 'deny'],
    ["holds against an administrator's too", makeRule({...allow, tier: 'admin'}), 'deny'],
    ['is lifted by a stronger one that names the path', makeRule({...allow, path: ['.env']}), 'allow'],
    ['is not lifted by the project', makeRule({...allow, tier: 'workspace', path: ['.env']}), 'deny'],
    ['is not lifted by a weaker one', makeRule({...allow, tier: 'default', path: ['.env'], priority: 1}), 'deny'],
  ])('%s [policy.sensitive]', async (_, rule, decision) => {
    expect(await decide([{...secret, priority: 500}, rule], makeCall('read_file', ['/work/.env']))).toBe(decision);
  });

  test('holds in yolo, and for the words and redirections of commands [policy.sensitive]', async () => {
    const lines = ['cat .env', 'cat < .env', 'cp x .env', 'cat ./sub/../.env', "cat '.e''nv'", 'cat README.md'];
    expect(await Promise.all(lines.map((line) => decide([secret], makeLine(line), {mode: 'yolo'})))).toEqual([
      'deny',
      'deny',
      'deny',
      'deny',
      'deny',
      'allow',
    ]);
  });
});

describe('shell lines', () => {
  const policy = [
    makeRule({...allow, tools: ['run_shell_command'], command: {prefix: 'git'}}),
    makeRule({...deny, tools: ['run_shell_command'], command: {prefix: 'rm'}}),
  ];
  test.each([
    ['git status', 'allow'],
    ['github x', 'ask'],
    ['git log && git diff', 'allow'],
    ['git log && rm x', 'deny'],
    ['git log | head', 'ask'],
    ['/bin/rm x', 'deny'],
    ['RM x', 'deny'],
    ['./git x', 'ask'],
    ['bash -c "rm x"', 'deny'],
    ['git log > out.txt', 'ask'],
    ['git log 2>&1', 'allow'],
    ['git log 2>/dev/null', 'allow'],
    ['$X y', 'ask'],
    ['git log ${', 'ask'],
    ['cd .. && git log', 'ask'],
    ['git $(rm x)', 'deny'],
  ])('%s is decided to %s [policy.shell]', async (line, decision) => {
    expect(await decide(policy, makeLine(line))).toBe(decision);
  });

  test.each([
    [
      'allowRedirection',
      makeRule({...allow, tools: ['run_shell_command'], command: {prefix: 'git'}, allowRedirection: true}),
      {},
      'allow',
    ],
    ['auto_edit', policy[0] ?? makeRule(), {mode: 'auto_edit'} as const, 'allow'],
    ['nothing', policy[0] ?? makeRule(), {}, 'ask'],
  ])(
    'with %s, redirection is decided to the last word [policy.redirection]',
    async (_, rule, circumstances, decision) => {
      expect(await decide([rule], makeLine('git log > out.txt'), circumstances)).toBe(decision);
    },
  );

  test('a pattern that refuses is held against the whole line as well as its commands [policy.shell]', async () => {
    const rules = [
      makeRule({...allow, priority: 1, allowRedirection: true}),
      makeRule({...deny, command: {pattern: 'git log.*wc', anchored: false}}),
    ];
    expect(await decide(rules, makeLine('git log | wc'))).toBe('deny');
  });

  test('options between the words of a refused command make it one that is asked [policy.shell]', async () => {
    const rules = [makeRule({...allow, priority: 1}), makeRule({...deny, command: {prefix: 'git push'}})];
    const lines = [
      'git push',
      'git -C sub push',
      'git --bare push',
      'git $X',
      'git -C $X push',
      'git pull',
      'git log push',
      'git log $X',
      'git commit -m push',
    ];
    expect(await Promise.all(lines.map((line) => decide(rules, makeLine(line))))).toEqual([
      'deny',
      'ask',
      'ask',
      'ask',
      'ask',
      'allow',
      'allow',
      'allow',
      'allow',
    ]);
  });

  test('a program that runs what it reads, and is given something, may run anything [policy.shell]', async () => {
    const rules = [makeRule({...allow, command: {prefix: 'python3'}}), makeRule({...allow, command: {prefix: 'cat'}})];
    const given = (line: string) => ({
      ...makeLine(line),
      touches: makeLine(line).touches.map((touch) => ({...touch, hasInput: true})),
    });
    expect(
      await Promise.all(
        [makeLine('python3'), given('python3'), given('cat'), given('cat | python3')].map((call) =>
          decide(rules, call),
        ),
      ),
    ).toEqual(['allow', 'ask', 'allow', 'ask']);
  });

  test('on Windows no line is read, so it is asked [policy.shell]', async () => {
    const engine = new Engine({rules: policy}, {...world, platform: 'win32'});
    expect((await engine.judge(makeLine('git status'), here)).decision).toBe('ask');
  });

  test(
    'a rule of the product allows a command only when nothing about it is unknown, and inside the ' +
      'workspace [policy.cautious]',
    async () => {
      const rules = [
        makeRule({...allow, tier: 'default', command: {prefix: 'cat'}}),
        makeRule({...ask, tier: 'default', priority: 1}),
      ];
      const lines = ['cat a', 'cat $F', 'cat *', 'cat /etc/passwd', 'cat ../x'];
      expect(await Promise.all(lines.map((line) => decide(rules, makeLine(line))))).toEqual([
        'allow',
        'ask',
        'allow',
        'ask',
        'ask',
      ]);
      const mine = [makeRule({...allow, command: {prefix: 'cat'}})];
      expect(await Promise.all(lines.map((line) => decide(mine, makeLine(line))))).toEqual([
        'allow',
        'allow',
        'allow',
        'allow',
        'allow',
      ]);
    },
  );
});

describe('a tool', () => {
  test.each([
    ['denied whatever its arguments are is not offered', [deny], false],
    ['denied for one path only is', [{...deny, path: ['a']}], true],
    [
      'allowed for one path above a denial is',
      [
        {...deny, priority: 1},
        {...allow, path: ['a'], priority: 2},
      ],
      true,
    ],
    [
      'denied above an allowance for one path is not',
      [
        {...deny, priority: 3},
        {...allow, path: ['a'], priority: 2},
      ],
      false,
    ],
    [
      'denied by the project is not',
      [
        {...deny, tier: 'workspace'},
        {...allow, tier: 'default'},
      ],
      false,
    ],
    ['denied by the project below an allowance of the user is', [{...deny, tier: 'workspace'}, allow], true],
  ] as const)('%s [policy.offered]', (_, rules, offered) => {
    expect(new Engine({rules: rules.map(makeRule)}, world).canPass({tool: 'write_file', annotations: {}}, here)).toBe(
      offered,
    );
  });

  test('that no rule speaks about is not offered without a person [policy.offered]', () => {
    const engine = new Engine({rules: []}, world);
    expect(
      [true, false].map((interactive) => engine.canPass({tool: 'x', annotations: {}}, {...here, interactive})),
    ).toEqual([true, false]);
  });
});
