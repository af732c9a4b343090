import {describe, expect, test} from '@jest/globals';
import type {Explanation, Layer} from '#plugins/settings/dist/contract.js';
import type {Rule} from '#plugins/policy/dist/rule.js';
import {readSettingsRules} from '#plugins/policy/dist/read/settings-rules.js';

const UNION = ['tools.exclude', 'mcp.excluded'];
function explain(key: string, layers: Partial<Record<Layer, unknown>>): Explanation {
  const said = Object.entries(layers).map(([layer, value]) => ({
    layer: layer as Layer,
    source: `/${layer}.json`,
    value,
  }));
  return {
    key,
    value: said.at(-1)?.value,
    layers: said,
    winner: said.at(-1)?.layer,
    merge: UNION.includes(key) ? 'union' : key === 'mcpServers' ? 'shallow' : 'replace',
  };
}

/** Rules without what all of these have. */
function sayings(rules: readonly Rule[]): object[] {
  return rules.map(({id, source, allowRedirection, sensitive, ...rest}) => {
    expect([id, source.label, allowRedirection, sensitive]).toEqual([
      source.label,
      expect.stringMatching(/^Setting: /),
      false,
      false,
    ]);
    return {from: `${source.tier} ${source.label.slice(9)}`, ...rest};
  });
}

const modes = ['default', 'auto_edit', 'yolo'];
describe('settings stand for rules', () => {
  test.each<[string, Explanation[], object[]]>([
    [
      'tools.exclude of every layer',
      [explain('tools.exclude', {user: ['read_file'], workspace: ['ShellTool(rm)']})],
      [
        {from: 'user tools.exclude', tools: ['read_file'], decision: 'deny', priority: 400},
        {
          from: 'workspace tools.exclude',
          tools: ['run_shell_command'],
          command: {prefix: 'rm'},
          decision: 'deny',
          priority: 400,
        },
      ],
    ],
    [
      'tools.confirmationRequired of the strongest layer and of the project',
      [explain('tools.confirmationRequired', {user: ['glob'], workspace: ['replace'], flag: ['grep_search']})],
      [
        {
          from: 'user tools.confirmationRequired',
          tools: ['grep_search', 'search_file_content'],
          decision: 'ask',
          priority: 350,
        },
        {from: 'workspace tools.confirmationRequired', tools: ['replace'], decision: 'ask', priority: 350},
      ],
    ],
    [
      'tools.allowed, without denying other commands',
      [explain('tools.allowed', {user: ['run_shell_command(git status)', 'ReadFileTool']})],
      [
        {
          from: 'user tools.allowed',
          tools: ['run_shell_command'],
          command: {prefix: 'git status'},
          decision: 'allow',
          priority: 300,
        },
        {from: 'user tools.allowed', tools: ['read_file'], decision: 'allow', priority: 300},
      ],
    ],
    [
      'tools.core denies the others and allows nothing',
      [explain('tools.core', {user: ['read_file', 'GrepTool']})],
      [
        {
          from: 'user tools.core',
          tools: ['*'],
          except: ['read_file', 'grep_search', 'search_file_content'],
          decision: 'deny',
          priority: 240,
        },
      ],
    ],
    [
      'tools.core with a command denies the other commands',
      [explain('tools.core', {user: ['run_shell_command(git)', 'ShellTool(npm run test)']})],
      [
        {
          from: 'user tools.core',
          tools: ['*'],
          except: ['run_shell_command', 'run_shell_command'],
          decision: 'deny',
          priority: 240,
        },
        {
          from: 'user tools.core',
          tools: ['run_shell_command'],
          command: {pattern: '(?!(?:git|npm run test)(?:\\s|$))', anchored: true},
          decision: 'deny',
          priority: 240,
        },
      ],
    ],
    [
      'tools.core with the whole shell beside a command',
      [explain('tools.core', {user: ['run_shell_command(git)', 'run_shell_command']})],
      [
        {
          from: 'user tools.core',
          tools: ['*'],
          except: ['run_shell_command', 'run_shell_command'],
          decision: 'deny',
          priority: 240,
        },
      ],
    ],
    [
      'tools.core of the project holds beside that of the user',
      [explain('tools.core', {user: ['read_file'], workspace: ['read_file', 'replace']})],
      [
        {from: 'user tools.core', tools: ['*'], except: ['read_file'], decision: 'deny', priority: 240},
        {from: 'workspace tools.core', tools: ['*'], except: ['read_file', 'replace'], decision: 'deny', priority: 240},
      ],
    ],
    [
      'mcp.excluded',
      [explain('mcp.excluded', {system: ['s', '*']})],
      [
        {from: 'user mcp.excluded', tools: ['mcp_s_*'], server: 's', decision: 'deny', priority: 900},
        {from: 'user mcp.excluded', tools: ['mcp_*'], server: '*', decision: 'deny', priority: 900},
      ],
    ],
    [
      'mcp.allowed denies the others and allows nothing',
      [explain('mcp.allowed', {user: ['s']})],
      [
        {
          from: 'user mcp.allowed',
          tools: ['mcp_*'],
          server: '*',
          exceptServers: ['s'],
          decision: 'deny',
          priority: 900,
        },
      ],
    ],
    [
      'trust of a server',
      [explain('mcpServers', {user: {s: {command: 'x', trust: true}, t: {trust: false}, u: {}}})],
      [{from: 'user mcpServers.s.trust', tools: ['mcp_s_*'], server: 's', modes, decision: 'allow', priority: 200}],
    ],
    [
      'a server that the system settings configure again',
      [
        explain('mcpServers', {
          user: {s: {trust: true}},
          workspace: {s: {command: 'y'}},
          system: {s: {command: 'z', trust: true}},
        }),
      ],
      [{from: 'user mcpServers.s.trust', tools: ['mcp_s_*'], server: 's', modes, decision: 'allow', priority: 200}],
    ],
    [
      'servers allowed in headless runs, except those of the project',
      [
        explain('mcpServers', {user: {s: {}, p: {}}, workspace: {p: {}, q: {}}}),
        explain('mcp.autoAllowInHeadless', {user: true}),
      ],
      [
        {
          from: 'user mcp.autoAllowInHeadless',
          tools: ['mcp_s_*'],
          server: 's',
          interactive: false,
          modes,
          decision: 'allow',
          priority: 100,
        },
      ],
    ],
    [
      'one name instead of a list',
      [explain('tools.exclude', {flag: 'glob'})],
      [{from: 'user tools.exclude', tools: ['glob'], decision: 'deny', priority: 400}],
    ],
    ['nothing', [], []],
  ])('%s', (_, explanations, rules) => {
    const set = readSettingsRules(explanations);
    expect({rules: sayings(set.rules), problems: set.problems}).toEqual({rules, problems: []});
  });

  const inVain = {
    severity: 'warning',
    tier: 'workspace',
    file: '/workspace.json',
    hint: 'Put it into your own settings if you want it.',
  };
  test.each<[string, Explanation[], object[], object[]]>([
    [
      'tools.allowed of a project allows nothing, and hides nothing of the user',
      [explain('tools.allowed', {user: ['glob'], workspace: ['run_shell_command']})],
      [{from: 'user tools.allowed', tools: ['glob'], decision: 'allow', priority: 300}],
      [
        {
          ...inVain,
          message: 'tools.allowed in the settings of a project allows nothing: a project can only make rules stricter.',
        },
      ],
    ],
    [
      'a project cannot trust a server',
      [explain('mcpServers', {workspace: {s: {trust: true}}})],
      [],
      [
        {
          ...inVain,
          message:
            'mcpServers.s.trust in the settings of a project allows nothing: a project can only make rules stricter.',
        },
      ],
    ],
    [
      'a server that a project puts in the place of a trusted one is not trusted',
      [explain('mcpServers', {user: {s: {command: 'mine', trust: true}}, workspace: {s: {command: 'theirs'}}})],
      [],
      [],
    ],
    [
      'a project cannot allow servers in headless runs',
      [explain('mcpServers', {user: {s: {}}}), explain('mcp.autoAllowInHeadless', {workspace: true})],
      [],
      [],
    ],
    [
      'arguments of another tool allow nothing',
      [explain('tools.allowed', {user: ['write_file(a.txt)']})],
      [],
      [
        {
          severity: 'warning',
          tier: 'user',
          file: '/user.json',
          message:
            'tools.allowed names "write_file(a.txt)", but only run_shell_command takes a command in brackets; ' +
            'nothing is allowed by it.',
          hint: 'Write a rule with argsPattern or path into a file in ~/.gemini/policies.',
        },
      ],
    ],
    [
      'arguments of another tool restrict all of it',
      [explain('tools.exclude', {user: ['write_file(a.txt)']})],
      [{from: 'user tools.exclude', tools: ['write_file'], decision: 'deny', priority: 400}],
      [
        {
          severity: 'warning',
          tier: 'user',
          file: '/user.json',
          message:
            'tools.exclude names "write_file(a.txt)", but only run_shell_command takes a command in brackets; the ' +
            'rule is about every call of the tool.',
        },
      ],
    ],
    [
      'what is no name is left out',
      [explain('tools.exclude', {user: ['glob', 5]})],
      [{from: 'user tools.exclude', tools: ['glob'], decision: 'deny', priority: 400}],
      [
        {
          severity: 'error',
          tier: 'user',
          file: '/user.json',
          message: 'tools.exclude must be a list of names; what is no name in it is not used.',
        },
      ],
    ],
    [
      'a list of allowed servers that cannot be read allows none',
      [explain('mcp.allowed', {user: {s: true}})],
      [{from: 'user mcp.allowed', tools: ['mcp_*'], server: '*', exceptServers: [], decision: 'deny', priority: 900}],
      [
        {
          severity: 'error',
          tier: 'user',
          file: '/user.json',
          message: 'mcp.allowed must be a list of names; what is no name in it is not used.',
        },
      ],
    ],
    [
      'trust that is no truth',
      [explain('mcpServers', {user: {s: {trust: 'yes'}}})],
      [],
      [
        {
          severity: 'error',
          tier: 'user',
          file: '/user.json',
          message: 'mcpServers.s.trust must be true or false; the server is not trusted.',
        },
      ],
    ],
    [
      'servers that are no object',
      [explain('mcpServers', {user: ['s']})],
      [],
      [
        {
          severity: 'error',
          tier: 'user',
          file: '/user.json',
          message: 'mcpServers must be an object with a server under each name; it is not used.',
        },
      ],
    ],
  ])('%s', (_, explanations, rules, problems) => {
    const set = readSettingsRules(explanations);
    expect({rules: sayings(set.rules), problems: set.problems}).toEqual({rules, problems});
  });
});
