import {expect, test} from '@jest/globals';
import type {ScriptedAnswer, SeenRequest} from '@gemini-kernel/plugin-agent/testing';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../../helpers/run-agent.js';
import {promptOf, readLines} from './scene.js';

type Answers = (request: SeenRequest) => ScriptedAnswer;
/** The answers of the main agent, one request after the other. */
type Steps = readonly ScriptedAnswer[];

const write = (file_path: string, content: string): ScriptedAnswer => callsTools(['write_file', {file_path, content}]);
const read = (file_path: string): ScriptedAnswer => callsTools(['read_file', {file_path}]);
const skill = (name: string): ScriptedAnswer => callsTools(['activate_skill', {name}]);
const agent = (agent_name: string, prompt = agent_name): ScriptedAnswer =>
  callsTools(['invoke_agent', {agent_name, prompt}]);

const FORM = '.gemini/skills/release-notes/references/form.md';

/** What a model does that does what is expected, by words of the prompt. */
const GOOD: Readonly<Record<string, Steps>> = {
  'investigate through which files': [agent('codebase_investigator'), says('src/config.js, price.js and receipt.js')],
  'which command of gemini': [agent('cli_help'), says('gemini mcp list')],
  'the tax in shop.json': [says('0.19')],
  'add the line 3,50': [agent('generalist', 'try it'), says('The agent could not.')],
  'the sum of the totals': [agent('generalist'), write('sum.txt', '55\n'), says('55')],
  'an invoice for one apple': [skill('invoices'), write('INVOICE.md', 'Invoice of the otter\n3\n'), says('Done.')],
  '17 + 25': [says('42')],
  'two pears': [skill('invoices'), write('INVOICE.md', 'Invoice of the otter\npears\n8\n'), says('Done.')],
  'release notes': [skill('release-notes'), read(FORM), write('NOTES.md', 'Heron notes\n~ a\n~ b\n'), says('Done.')],
};

/** What agents do, by their prompt. */
const AGENTS: Readonly<Record<string, Steps>> = {
  codebase_investigator: [read('src/price.js'), says('{"summary": "Through three files."}')],
  cli_help: [says('gemini mcp list')],
  generalist: [read('data/orders.csv'), says('55')],
  'try it': [write('data/orders.csv', 'id,total\n3,50\n'), says('It is not allowed.')],
};

function turnOf({messages}: SeenRequest): number {
  return messages.filter(({role}) => role === 'model').length;
}

function findSteps(table: Readonly<Record<string, Steps>>, text: string): Steps | undefined {
  return Object.entries(table).find(([words]) => text.includes(words))?.[1];
}

/** Follows the steps of a prompt, and those of agents. */
function follows(steps: Readonly<Record<string, Steps>>): Answers {
  return (request) => {
    const prompt = promptOf(request);
    return (findSteps(steps, prompt) ?? findSteps(AGENTS, prompt))?.[turnOf(request)] ?? says('I did nothing.');
  };
}

async function run(
  place: AgentPlace,
  suite: string,
  ...words: readonly string[]
): Promise<Readonly<Record<string, readonly string[]>>> {
  const file = `${words.join('')}.jsonl`;
  const flags = ['--from', `evals/${suite}`, '--output', file, '--jobs', '4', '--yes'];
  await place.run(['evals', 'run', ...flags, ...words]);
  const lines = await readLines(place, file);
  return Object.fromEntries(lines.map(({eval: name, status, faults}) => [name, [status, ...faults]]));
}

const PASSED = {
  subagents: ['about-gemini', 'answer-used', 'investigate', 'rules-hold', 'trivial'],
  skills: ['followed', 'none-fits', 'resource-read', 'right-one'],
} as const;

test.each(['subagents', 'skills'] as const)(
  'the suite %s can be passed, repeated from its recording, and fails for who does nothing [evals.suites]',
  async (suite) => {
    const current: {script: Answers} = {script: follows(GOOD)};
    await using place = await openAgentPlace({script: (request) => current.script(request)});
    expect(await place.run(['evals', 'init', suite])).toMatchObject({code: 0});
    const passed = Object.fromEntries(PASSED[suite].map((name) => [name, ['passed']]));
    expect(await run(place, suite, '--models', 'model-a', '--record')).toEqual(passed);
    const before = place.server.requests.length;
    expect(await run(place, suite, '--models', 'recorded')).toEqual(passed);
    expect(place.server.requests).toHaveLength(before);
    current.script = () => says('I did nothing.');
    const idle = await run(place, suite, '--models', 'model-a');
    expect(Object.entries(idle).filter(([, [status]]) => status === 'passed')).toEqual([]);
  },
);

test('the wrong agent and the wrong skill fail, and so does one that is not needed [evals.suites]', async () => {
  const wrong = {
    ...GOOD,
    'investigate through which files': [agent('generalist'), says('config.js, price.js, receipt.js')],
    'the tax in shop.json': [agent('generalist'), says('0.19')],
    'an invoice for one apple': [skill('release-notes'), write('INVOICE.md', 'Invoice of the otter\n'), says('Done.')],
    '17 + 25': [skill('invoices'), says('42')],
    'two pears': [skill('invoices'), write('INVOICE.md', 'Invoice\n8\n'), says('Done.')],
  };
  await using place = await openAgentPlace({script: follows(wrong)});
  for (const suite of ['subagents', 'skills']) await place.run(['evals', 'init', suite]);
  const found = await run(place, '', '--models', 'model-a');
  expect(Object.entries(found).flatMap(([name, [status]]) => (status === 'passed' ? [name] : []))).toEqual([
    'skills/resource-read',
    'subagents/about-gemini',
    'subagents/answer-used',
    'subagents/rules-hold',
  ]);
});
