import {describe, expect, test} from '@jest/globals';
import type {Rule} from '#plugins/policy/dist/rule.js';
import {readRules} from '#plugins/policy/dist/read/read-rules.js';

type RuleFile = Parameters<typeof readRules>[1];

const FILE: RuleFile = {
  tier: 'user',
  file: '/rules.toml',
  label: 'User: rules.toml',
  knownTools: ['read_file', 'write_file', 'run_shell_command', 'grep_search'],
};
const read = (text: string, file: Partial<RuleFile> = {}): ReturnType<typeof readRules> =>
  readRules(text, {...FILE, ...file});

/** What a rule says, without where it stands and without what is as usual. */
function saying({source, id, priority, allowRedirection, sensitive, ...rest}: Rule): object {
  return {
    ...rest,
    ...(id === source.label ? {} : {id}),
    ...(priority === 500 ? {} : {priority}),
    ...(allowRedirection ? {allowRedirection} : {}),
    ...(sensitive ? {sensitive} : {}),
  };
}

/** Problems as `line:column severity message (hint)`. */
function toldBy({problems}: ReturnType<typeof readRules>): string[] {
  return problems.map(
    ({line, column, severity, message, hint}) =>
      `${line}:${column} ${severity} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}

describe('a rule of the reference', () => {
  test.each<[string, string, object[]]>([
    [
      'with everything',
      'toolName = "run_shell_command"\ncommandPrefix = "git"\ndecision = "ask_user"\npriority = 7\nmodes = ' +
        '["default", "autoEdit"]\ninteractive = true\nallowRedirection = true\ndenyMessage = "no"\nsubagent = ' +
        '"a"\nname = "n"\ndescription = "d"',
      [
        {
          tools: ['run_shell_command'],
          command: {prefix: 'git'},
          decision: 'ask',
          priority: 7,
          modes: ['default', 'auto_edit'],
          interactive: true,
          allowRedirection: true,
          message: 'no',
          subagent: 'a',
          id: 'n',
          description: 'd',
        },
      ],
    ],
    [
      'with several tools stays one',
      'toolName = ["a_tool", "b_tool"]\ndecision = "deny"',
      [{tools: ['a_tool', 'b_tool'], decision: 'deny'}],
    ],
    [
      'with several prefixes becomes several',
      'toolName = "run_shell_command"\ncommandPrefix = ["git", "npm t"]\ndecision = "allow"',
      [
        {tools: ['run_shell_command'], decision: 'allow', command: {prefix: 'git'}},
        {tools: ['run_shell_command'], decision: 'allow', command: {prefix: 'npm t'}},
      ],
    ],
    [
      'with a commandRegex is anchored',
      'toolName = "run_shell_command"\ncommandRegex = "git (push|pull)"\ndecision = "deny"',
      [{tools: ['run_shell_command'], decision: 'deny', command: {pattern: 'git (push|pull)', anchored: true}}],
    ],
    [
      'with a server composes names and keeps it',
      'toolName = ["x", "*"]\nmcpName = "srv"\ndecision = "allow"',
      [{tools: ['mcp_srv_x', 'mcp_srv_*'], server: 'srv', decision: 'allow'}],
    ],
    [
      'with any server and one tool',
      'toolName = "search"\nmcpName = "*"\ndecision = "deny"',
      [{tools: ['mcp_*_search'], server: '*', decision: 'deny'}],
    ],
    [
      'with any server and any tool',
      'toolName = "*"\nmcpName = "*"\ndecision = "deny"',
      [{tools: ['mcp_*'], server: '*', decision: 'deny'}],
    ],
    [
      'with a server only is about all its tools',
      'mcpName = "my server"\ndecision = "deny"',
      [{tools: ['mcp_my_server_*'], server: 'my server', decision: 'deny'}],
    ],
    [
      'with the whole name of a server tool is not composed twice',
      'toolName = "mcp_s_t"\nmcpName = "s"\ndecision = "deny"',
      [{tools: ['mcp_s_t'], server: 's', decision: 'deny'}],
    ],
    [
      'about searching is about both its names',
      'toolName = "search_file_content"\ndecision = "deny"',
      [{tools: ['search_file_content', 'grep_search'], decision: 'deny'}],
    ],
    [
      'with other spellings',
      'toolName = "read_file"\ndecision = "ask"\nallow_redirection = true\ndeny_message = "m"',
      [{tools: ['read_file'], decision: 'ask', allowRedirection: true, message: 'm'}],
    ],
    [
      'with annotations',
      'toolName = "*"\ntoolAnnotations = {readOnlyHint = true}\ndecision = "allow"',
      [{tools: ['*'], annotations: {readOnlyHint: true}, decision: 'allow'}],
    ],
    [
      'with the keys that are new',
      'path = ["src/**", "~/a b/*"]\neffect = "edit"\nworkspaceRoot = "/w/*"\nsensitive = true\ntrusted = ' +
        'false\nexcept = "grep_search"\ndecision = "deny"',
      [
        {
          tools: ['*'],
          except: ['grep_search', 'search_file_content'],
          path: ['src/**', '~/a b/*'],
          effect: ['edit'],
          workspaceRoot: ['/w/*'],
          sensitive: true,
          trusted: false,
          decision: 'deny',
        },
      ],
    ],
  ])('%s', (_, body, rules) => {
    const set = read(`[[rule]]\n${body}\n`);
    expect({rules: set.rules.map(saying), told: toldBy(set)}).toEqual({rules, told: []});
  });

  test('knows where it stands', () => {
    const {rules} = read(
      '\n[[rule]]\ntoolName = "read_file"\ndecision = "allow"\n\n  [[rule]]\n  id = "b"\n  toolName = ' +
        '"read_file"\n  decision = "deny"\n',
    );
    expect(rules.map(({id, source}) => ({id, source}))).toEqual([
      {id: 'User: rules.toml:2', source: {tier: 'user', label: 'User: rules.toml:2', file: '/rules.toml', line: 2}},
      {id: 'b', source: {tier: 'user', label: 'User: rules.toml:6', file: '/rules.toml', line: 6}},
    ]);
  });
});

describe('a rule of the plain dialect', () => {
  test.each<[string, string, object[]]>([
    [
      'that asks',
      'id = "x"\ndescription = "d"\n[rules.condition]\ncommand_pattern = "rm\\\\s+-rf"\n[rules.action]\ntype = ' +
        '"confirm"\nmessage = "sure?"',
      [
        {
          id: 'x',
          description: 'd',
          tools: ['run_shell_command'],
          command: {pattern: 'rm\\s+-rf', anchored: false},
          decision: 'ask',
          message: 'sure?',
        },
      ],
    ],
    [
      'that asks, in the other word',
      '[rules.condition]\ntool = "write_file"\n[rules.action]\ntype = "confirmation_required"',
      [{tools: ['write_file'], decision: 'ask'}],
    ],
    [
      'that denies a path by a regular expression',
      '[rules.condition]\ntool = "write_file"\npath_pattern = "^/etc/.*"\n[rules.action]\ntype = "deny"',
      [{tools: ['write_file'], path: ['/etc/**'], decision: 'deny'}],
    ],
    [
      'that denies a path by a glob',
      '[rules.condition]\npath_pattern = "**/*.pem"\n[rules.action]\ntype = "deny"',
      [{tools: ['*'], path: ['**/*.pem'], decision: 'deny'}],
    ],
    [
      'that allows a command from its beginning only',
      '[rules.condition]\ncommand_pattern = "npm test"\n[rules.action]\ntype = "allow"',
      [{tools: ['run_shell_command'], command: {pattern: 'npm test', anchored: true}, decision: 'allow'}],
    ],
    [
      'with conditions that are new',
      'priority = 3\n[rules.condition]\ntool = "*"\nworkspace_root = "/w"\neffect = ["edit", "delete"]\nmodes = ' +
        '["yolo"]\ninteractive = false\n[rules.action]\ntype = "deny"',
      [
        {
          tools: ['*'],
          workspaceRoot: ['/w'],
          effect: ['edit', 'delete'],
          modes: ['yolo'],
          interactive: false,
          decision: 'deny',
          priority: 3,
        },
      ],
    ],
    ['that mixes both', 'toolName = "read_file"\naction = "deny"', [{tools: ['read_file'], decision: 'deny'}]],
  ])('%s', (_, body, rules) => {
    const set = read(`[[rules]]\n${body}\n`);
    expect({rules: set.rules.map(saying), told: toldBy(set)}).toEqual({rules, told: []});
  });
});

describe('a checker', () => {
  const source = {tier: 'user', label: 'User: rules.toml:1', file: '/rules.toml', line: 1};
  test.each<[string, string, object[], string[]]>([
    [
      'in the program',
      '[[safety_checker]]\ntoolName = ["write_file"]\npriority = 15\nmodes = ' +
        '["autoEdit"]\n[safety_checker.checker]\ntype = "in-process"\nname = "allowed-path"\nrequired_context = ' +
        '["environment"]\n[safety_checker.checker.config]\nincluded_args = ["a.b"]',
      [
        {
          source,
          tools: ['write_file'],
          modes: ['auto_edit'],
          priority: 15,
          type: 'in-process',
          name: 'allowed-path',
          context: ['environment'],
          config: {included_args: ['a.b']},
        },
      ],
      [],
    ],
    [
      'outside of it',
      '[[safety_checker]]\ntoolName = "*"\n[safety_checker.checker]\ntype = "external"\nname = "mine"',
      [{source, tools: ['*'], priority: 0, type: 'external', name: 'mine', config: {}}],
      [],
    ],
    [
      'of the plain dialect',
      '[[safety_checkers]]\nname = "paths"\ntool = "write_file"\n[safety_checkers.validator]\ntype = ' +
        '"path_validation"\nallowed_paths = ["src/**"]',
      [
        {
          source,
          tools: ['write_file'],
          priority: 0,
          type: 'in-process',
          name: 'allowed-path',
          config: {allowed_paths: ['src/**']},
        },
      ],
      [],
    ],
    [
      'of an unknown name stays, so that it denies',
      '[[safety_checker]]\ntoolName = "write_file"\n[safety_checker.checker]\ntype = "in-process"\nname = ' +
        '"allowed-paths"',
      [{source, tools: ['write_file'], priority: 0, type: 'in-process', name: 'allowed-paths', config: {}}],
      [
        '5:1 error There is no checker "allowed-paths" in the program; calls it was to look at are denied. (Write ' +
          'type = "in-process" and name = "allowed-path" or "conseca", or type = "external" and the name of a ' +
          'program.)',
      ],
    ],
    [
      'with a bad condition looks at more',
      '[[safety_checker]]\ntoolName = "write_file"\nargsPattern = "("\nchecker = {type = "external", name = "x"}',
      [{source, tools: ['write_file'], priority: 0, type: 'external', name: 'x', config: {}}],
      [
        '3:1 error "argsPattern" is a regular expression that is not valid (Unterminated group), so the checker ' +
          'holds without it.',
      ],
    ],
    [
      'that says nothing stays, so that it denies',
      '[[safety_checker]]\ntoolName = "write_file"',
      [{source, tools: ['write_file'], priority: 0, type: 'external', name: '', config: {}}],
      [
        '1:1 error The checker does not say what runs; calls it was to look at are denied. (Write type = ' +
          '"in-process" and name = "allowed-path" or "conseca", or type = "external" and the name of a program.)',
      ],
    ],
  ])('%s', (_, text, checkers, told) => {
    const set = read(text);
    expect({checkers: set.checkers, rules: set.rules, told: toldBy(set)}).toEqual({checkers, rules: [], told});
  });
});

const rule = (body: string): string => `[[rule]]\n${body}`;
describe('what is wrong is said with its place, and lets nothing more through', () => {
  test.each<[string, string, object[], string[]]>([
    [
      'an unknown key is named',
      rule('toolName = "read_file"\ndecision = "deny"\npriorty = 5'),
      [{tools: ['read_file'], decision: 'deny'}],
      ['4:1 warning There is no key "priorty"; it is not used. (Did you mean "priority"?)'],
    ],
    [
      'a key that resembles nothing',
      rule('toolName = "read_file"\ndecision = "allow"\nxyzzyplugh = 5'),
      [{tools: ['read_file'], decision: 'allow'}],
      ['4:1 warning There is no key "xyzzyplugh"; it is not used.'],
    ],
    [
      'a misspelt condition takes what allows away',
      rule('toolName = "run_shell_command"\ncommandPrefx = "git"\ndecision = "allow"'),
      [],
      ['3:1 error There is no condition "commandPrefx", so the rule is left out. (Did you mean "commandPrefix"?)'],
    ],
    [
      'a misspelt condition leaves what denies',
      rule('toolName = "run_shell_command"\ncommandPrefx = "git"\ndecision = "deny"'),
      [{tools: ['run_shell_command'], decision: 'deny'}],
      ['3:1 error There is no condition "commandPrefx", so the rule holds without it. (Did you mean "commandPrefix"?)'],
    ],
    [
      'an unknown condition of the plain dialect counts as one',
      '[[rules]]\n[rules.condition]\ntool = "read_file"\nkubernetes_cluster = "x"\n[rules.action]\ntype = "allow"',
      [],
      ['4:1 error There is no condition "kubernetes_cluster", so the rule is left out.'],
    ],
    [
      'a bad regular expression takes what allows away',
      rule('toolName = "run_shell_command"\ncommandRegex = "("\ndecision = "allow"'),
      [],
      [
        '3:1 error "commandRegex" is a regular expression that is not valid (Unterminated group), so the rule is ' +
          'left out.',
      ],
    ],
    [
      'a bad regular expression leaves what denies',
      rule('toolName = "run_shell_command"\ncommandRegex = "(a+)+"\ndecision = "deny"'),
      [{tools: ['run_shell_command'], decision: 'deny'}],
      [
        '3:1 error "commandRegex" is a regular expression that repeats a group in which something is repeated, ' +
          'which can take forever, so the rule holds without it.',
      ],
    ],
    [
      'a denial that lost its last condition asks',
      rule('toolName = "*"\nargsPattern = "["\ndecision = "deny"'),
      [{tools: ['*'], decision: 'ask'}],
      [
        '3:1 error "argsPattern" is a regular expression that is not valid (Unterminated character class), so it ' +
          'asks about every call.',
      ],
    ],
    [
      'a rule about nothing',
      rule('decision = "deny"'),
      [{tools: ['*'], decision: 'ask'}],
      [
        '1:1 error The rule does not say which calls it is about, so it asks about every call. (Add toolName, or ' +
          'toolName = "*" for all of them.)',
      ],
    ],
    [
      'a rule about nothing that allows',
      rule('decision = "allow"\nmodes = ["yolo"]'),
      [],
      [
        '1:1 error The rule does not say which calls it is about, so the rule is left out. (Add toolName, or ' +
          'toolName = "*" for all of them.)',
      ],
    ],
    [
      'an unknown decision asks',
      rule('toolName = "read_file"\ndecision = "dney"'),
      [{tools: ['read_file'], decision: 'ask'}],
      ['3:1 error "decision" does not take "dney", so the rule asks. (It takes allow, deny, ask_user.)'],
    ],
    [
      'no decision asks',
      rule('toolName = "read_file"'),
      [{tools: ['read_file'], decision: 'ask'}],
      [
        '1:1 error The rule does not say what it decides, so the rule asks. (Add decision = "allow", "deny" or ' +
          '"ask_user".)',
      ],
    ],
    [
      'an unknown mode widens what denies',
      rule('toolName = "read_file"\nmodes = ["default", "yollo"]\ndecision = "deny"'),
      [{tools: ['read_file'], decision: 'deny'}],
      [
        '3:1 error "modes" does not take "yollo", so the rule holds without it. (It takes plan, default, ' +
          'auto_edit, yolo.)',
      ],
    ],
    [
      'a wrong type takes what allows away',
      rule('toolName = "read_file"\ninteractive = "yes"\ndecision = "allow"'),
      [],
      ['3:1 error "interactive" must be true or false, so the rule is left out.'],
    ],
    [
      'an empty name of a tool',
      rule('toolName = ""\ndecision = "allow"'),
      [],
      ['2:1 error "toolName" must be a text or a list of texts that are not empty, so the rule is left out.'],
    ],
    [
      'a server without a name',
      rule('toolName = "x"\nmcpName = ""\ndecision = "deny"'),
      [{tools: ['mcp_*_x'], server: '*', decision: 'deny'}],
      ['3:1 error "mcpName" must be a text that is not empty, so the rule holds without it.'],
    ],
    [
      'a priority beyond the last',
      rule('toolName = "read_file"\npriority = 1500\ndecision = "deny"'),
      [{tools: ['read_file'], decision: 'deny', priority: 999}],
      ['3:1 error "priority" must be a whole number from 0 to 999; 999 is taken.'],
    ],
    [
      'a priority that is no number',
      rule('toolName = "read_file"\npriority = "high"\ndecision = "allow"'),
      [],
      ['3:1 error "priority" must be a whole number from 0 to 999, so the rule is left out.'],
    ],
    [
      'two conditions on the command',
      rule('toolName = "run_shell_command"\ncommandPrefix = "git"\ncommandRegex = "hg"\ndecision = "allow"'),
      [],
      ['4:1 error "commandRegex" and "commandPrefix" exclude each other, so the rule is left out. (Write two rules.)'],
    ],
    [
      'two conditions on the command both deny',
      rule('toolName = "run_shell_command"\ncommandPrefix = "git"\ncommandRegex = "hg"\ndecision = "deny"'),
      [
        {tools: ['run_shell_command'], command: {prefix: 'git'}, decision: 'deny'},
        {tools: ['run_shell_command'], command: {pattern: 'hg', anchored: true}, decision: 'deny'},
      ],
      [],
    ],
    [
      'arguments beside a command',
      rule('toolName = "run_shell_command"\ncommandPrefix = "git"\nargsPattern = "x"\ndecision = "deny"'),
      [{tools: ['run_shell_command'], command: {prefix: 'git'}, decision: 'deny'}],
      ['4:1 warning "argsPattern" is not used beside a condition on the command. (Write two rules.)'],
    ],
    [
      'a key said twice',
      rule('toolName = "read_file"\ntool_name = "write_file"\ndecision = "allow"'),
      [],
      ['3:1 error "tool_name" says again what another key says, so the rule is left out. (Keep one of the two.)'],
    ],
    [
      'a path that cannot be said as globs',
      '[[rules]]\n[rules.condition]\ntool = "write_file"\npath_pattern = "^(?!src/)"\n[rules.action]\ntype = "deny"',
      [{tools: ['write_file'], decision: 'deny'}],
      [
        '4:1 error "path_pattern" is a regular expression that cannot be said as globs, so the rule holds without ' +
          'it. (Write globs: path = ["**/*.pem"].)',
      ],
    ],
    [
      'a description that is not a text is not used',
      rule('toolName = "read_file"\ndecision = "allow"\ndescription = 5'),
      [{tools: ['read_file'], decision: 'allow'}],
      ['4:1 warning "description" must be a text that is not empty; it is not used.'],
    ],
    [
      'sensitive in other words is sensitive',
      rule('toolName = "read_file"\ndecision = "deny"\nsensitive = "yes"'),
      [{tools: ['read_file'], decision: 'deny', sensitive: true}],
      ['4:1 error "sensitive" must be true or false, so the rule holds without it.'],
    ],
    [
      'a misspelt tool',
      rule('toolName = [\n  "read_file",\n  "wirte_file",\n]\ndecision = "deny"'),
      [{tools: ['read_file', 'wirte_file'], decision: 'deny'}],
      ['4:3 warning No tool is called "wirte_file". (Did you mean "write_file"?)'],
    ],
    [
      'a tool by its class',
      rule('toolName = "ShellTool"\ndecision = "deny"'),
      [{tools: ['ShellTool'], decision: 'deny'}],
      ['2:1 warning "ShellTool" is the name of a class, not of a tool. (Did you mean "run_shell_command"?)'],
    ],
    [
      'an old name of a server tool',
      rule('toolName = "srv__tool"\ndecision = "deny"'),
      [{tools: ['srv__tool'], decision: 'deny'}],
      ['2:1 warning No tool is called "srv__tool": a tool of an MCP server is called mcp_<server>_<tool>.'],
    ],
    [
      'a wildcard for nothing',
      rule('toolName = "raed_*"\ndecision = "deny"'),
      [{tools: ['raed_*'], decision: 'deny'}],
      ['2:1 warning No tool has a name like "raed_*".'],
    ],
    [
      'a tool of a plugin that is not here is fine',
      rule(
        'toolName = ["kubernetes_apply", "mcp_x_y", "discovered_tool_*", "mcp_*_search", "read_*"]\ndecision = "deny"',
      ),
      [{tools: ['kubernetes_apply', 'mcp_x_y', 'discovered_tool_*', 'mcp_*_search', 'read_*'], decision: 'deny'}],
      [],
    ],
    [
      'a single table is read as a list of one',
      '[rule]\ntoolName = "read_file"\ndecision = "deny"',
      [{tools: ['read_file'], decision: 'deny'}],
      ['1:1 warning [rule] is read as [[rule]]. (Double brackets leave room for the next one.)'],
    ],
    [
      'an unknown header',
      '[[rulez]]\ntoolName = "x"',
      [],
      ['1:1 error There is no key "rulez"; what it holds is not used. (Did you mean [[rule]]?)'],
    ],
    [
      'something else than tables',
      'rule = ["x"]',
      [],
      ['1:9 error What stands under "rule" is not a table. (Begin each with [[rule]].)'],
    ],
    [
      'a bad rule does not take others with it',
      '[[rule]]\ndecision = 5\ntoolName = "read_file"\n[[rule]]\ntoolName = "write_file"\ndecision = "allow"',
      [
        {tools: ['read_file'], decision: 'ask'},
        {tools: ['write_file'], decision: 'allow'},
      ],
      ['2:1 error "decision" does not take 5, so the rule asks. (It takes allow, deny, ask_user.)'],
    ],
    [
      'a syntax error takes the file',
      '[[rule]]\ntoolName = "x"\ndecision = = "deny"',
      [],
      ['3:12 error The file is not TOML: invalid value. (None of its rules count until this is corrected.)'],
    ],
  ])('%s', (_, text, rules, told) => {
    const set = read(text);
    expect({rules: set.rules.map(saying), told: toldBy(set)}).toEqual({rules, told});
  });

  test.each([
    ['toolName = "read_file"\ncommandPrefix = "rm"', 'commandPrefix', 'only run_shell_command runs commands'],
    ['toolName = "read_file"\nmodes = []', 'modes', '"modes" is an empty list'],
    ['toolName = "read_file"\npath = []', 'path', '"path" is an empty list'],
    ['toolName = "read_file"\nexcept = ["read_*"]', 'except', '"except" leaves no tool over'],
    [
      'toolName = "run_shell_command"\ncommandRegex = "x^rm"',
      'commandRegex',
      'no text has anything before its beginning or after its end',
    ],
    [
      'toolName = "read_file"\nargsPattern = "$a"',
      'argsPattern',
      'no text has anything before its beginning or after its end',
    ],
    [
      'toolName = "run_shell_command"\ncommandPrefix = "a"\neffect = "read"',
      'effect',
      'the effect of a command is execute',
    ],
    [
      'toolName = "read_file"\ntrusted = false\nmodes = ["yolo"]',
      'trusted',
      'in a folder that is not trusted the mode is default or plan',
    ],
  ])('a rule that can never match: %s', (body, key, reason) => {
    const set = read(rule(`${body}\ndecision = "deny"`));
    const line = body.split('\n').findIndex((one) => one.startsWith(key)) + 2;
    expect(toldBy(set)).toEqual([`${line}:1 warning The rule can never match: ${reason}.`]);
  });

  test.each([
    ['extension', 'An extension'],
    ['workspace', 'A project'],
  ] as const)('of the tier %s what allows is left out, and what is stricter stays', (tier, who) => {
    const set = read(
      '[[rule]]\ntoolName = "read_file"\ndecision = "allow"\n[[rule]]\ntoolName = "read_file"\ndecision = ' +
        '"deny"\nmodes = ["yolo"]\n',
      {tier},
    );
    expect({rules: set.rules.map(saying), told: toldBy(set)}).toEqual({
      rules: [{tools: ['read_file'], decision: 'deny', modes: ['yolo']}],
      told: [
        `3:1 warning ${who} can only make rules stricter; this rule that allows is left out. (Put it into a file ` +
          'in ~/.gemini/policies if you want it.)',
      ],
    });
  });
});

test('ten thousand rules take time by their number, not by its square', () => {
  const timeFor = (count: number): number => {
    const text = Array.from(
      {length: count},
      (_, index) =>
        `[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "tool${index}"\ndecision = "allow"\npriority = ` +
        `${index % 1000}\n`,
    ).join('\n');
    const started = performance.now();
    const {rules, problems} = read(text);
    expect([rules.length, problems.length]).toEqual([count, 0]);
    return performance.now() - started;
  };
  timeFor(1000);
  // Ten times as many by the square would be a hundred times.
  expect(timeFor(10_000) / timeFor(1000)).toBeLessThan(50);
});
