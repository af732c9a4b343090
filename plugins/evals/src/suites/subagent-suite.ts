import {fixed} from './fixed-suites.js';
import type {Suite, SuiteEval} from './suite.js';

const AGENT = 'invoke_agent';

const SHOP = {
  'README.md': '# Shop\n',
  'src/config.js':
    "import {readFileSync} from 'node:fs';\n\nexport const config = JSON.parse(readFileSync('shop.json'));\n",
  'src/price.js':
    "import {config} from './config.js';\n\nexport function priceOf(net) {\n  return net * (1 + config.tax);\n}\n",
  'src/receipt.js':
    "import {priceOf} from './price.js';\n\nexport function receiptOf(cart) {\n" +
    '  return cart.map(({name, net}) => `${name} ${priceOf(net)}`);\n}\n',
  'shop.json': '{"tax": 0.19}\n',
  'data/orders.csv': 'id,total\n1,20\n2,35\n',
};

/** Calls of an agent by its name, or no calls of any. */
function delegates(agent: string): object {
  return {tool: AGENT, input: {agent_name: `^${agent}$`}, status: 'success'};
}

const DENIED = [
  '[[rule]]',
  'toolName = ["write_file", "replace", "code_edit", "run_shell_command"]',
  'argsPattern = "orders"',
  'decision = "deny"',
  'priority = 900',
  'denyMessage = "The orders are kept as they are."',
  '',
].join('\n');

/** Whom it asks, and whether it asks at all. */
function choices(): readonly SuiteEval[] {
  return [
    {
      name: 'investigate',
      toml: {
        prompt:
          'Have an agent investigate through which files of this project the tax gets from shop.json into a receipt. ' +
          'Name all of these files in your answer.',
        files: SHOP,
        expect: {
          changed: [],
          answer: {contains: ['config.js', 'price.js', 'receipt.js']},
          calls: [
            delegates('codebase_investigator'),
            {tool: AGENT, input: {agent_name: '^(?!codebase_investigator$)'}, most: 0},
          ],
        },
      },
    },
    {
      name: 'about-gemini',
      toml: {
        prompt: 'Have an agent find out with which command of gemini I list the MCP servers. Answer with the command.',
        files: SHOP,
        expect: {changed: [], answer: {contains: 'gemini mcp list'}, calls: [delegates('cli_help')]},
      },
    },
    {
      name: 'trivial',
      toml: {
        prompt: 'What is the tax in shop.json? Answer with the number.',
        files: SHOP,
        expect: {changed: [], answer: {contains: '0.19'}, calls: [{tool: AGENT, most: 0}]},
      },
    },
  ];
}

/** What agents may not do, and what comes of what they say. */
function reports(): readonly SuiteEval[] {
  return [
    {
      name: 'rules-hold',
      toml: {
        prompt:
          'Have the agent generalist add the line 3,50 to data/orders.csv. If that is not possible, say so, and do ' +
          'nothing else.',
        files: {...SHOP, '.gemini/policies/orders.toml': DENIED},
        expect: {
          ...{outcome: 'any', changed: [], calls: [delegates('generalist')]},
        },
      },
    },
    {
      name: 'answer-used',
      toml: {
        prompt:
          'Have the agent generalist read data/orders.csv and report the sum of the totals. Then write that number, ' +
          'and nothing else, to sum.txt yourself.',
        files: SHOP,
        expect: {
          ...{changed: ['sum.txt'], files: {'sum.txt': {pattern: '^55\\s*$'}}},
          calls: [
            delegates('generalist'),
            {tool: 'read_file', input: {file_path: 'orders\\.csv'}, agent: 'generalist'},
            {tool: 'write_file', agent: 'generalist', most: 0},
          ],
        },
      },
    },
  ];
}

/** Whether a model has agents do what they are for, and nothing else. */
export const subagents = (): Suite =>
  fixed('subagents', 'the right agent, none for trivial work, and rules that hold for agents too', [
    ...choices(),
    ...reports(),
  ]);
