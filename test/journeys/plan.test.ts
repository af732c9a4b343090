import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};
const plan = '# Greet\n\n1. Write greeting.txt.\n';
const presents = callsTools(['exit_plan_mode', {plan_filename: 'greet.md', plan}]);
const writes = callsTools(['write_file', {file_path: 'greeting.txt', content: 'Hello\n'}]);

function systems(place: AgentPlace): readonly string[] {
  return place.server.requests.map(({system}) => system ?? '');
}

atTerminal(
  'a plan is shown, approved with one key, carried out, and known after a resume [plan.approved] [plan.model]',
  async () => {
    await using place = await openAgentPlace({
      script: [presents, writes, says('Written.'), says('As planned.')],
      settings: {ui: {mode: ''}, general: {plan: {model: 'model-b'}}},
      models: ['model-a', 'model-b'],
    });
    await using sitting = await ScreenSitting.begin(place);
    await sitting.seeAt('>');
    sitting.type('/plan\r');
    await sitting.see('This is plan mode.');
    await sitting.seeAt('>');
    sitting.type('greet\r');
    await sitting.see('1. Write greeting.txt.');
    await sitting.see('Carry out this plan?');
    await sitting.see('4. no');
    sitting.type('a');
    await sitting.see('Written.');
    expect(await readFile(join(place.project, 'greeting.txt'), 'utf8')).toBe('Hello\n');
    await sitting.lose('Ctrl+C stops');
    sitting.type(CTRL_D);
    expect(await sitting.end()).toEqual(left);
    expect(place.server.requests.map(({model}) => model)).toEqual(['model-b', 'model-a', 'model-a']);
    expect(systems(place)[0]).toContain('call exit_plan_mode with');

    await place.ask(['-p', 'continue', '--resume', 'latest']);
    expect(systems(place).at(-1)).toContain(`<approved_plan>\n${plan.trim()}\n</approved_plan>`);
  },
);

atTerminal('the console shows a plan, and sends what should change to the model [plan.refused]', async () => {
  await using place = await openAgentPlace({script: [presents, says('I see.')]});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, '/plan\r'],
    ['This is plan mode.', ''],
    ['> ', 'greet\r'],
    ['1. Write greeting.txt.', ''],
    ['Carry out this plan?', 'n\r'],
    ['What should change', 'In French.\r'],
    ['I see.', ''],
    ['> \r\nmode plan', '/plan list\r'],
    ['greet.md', ''],
    ['> \r\nmode plan', CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('In French.');
});

test('without a person the model is not offered to leave plan mode, unless a rule approves its plans [plan.headless]', async () => {
  await using closed = await openAgentPlace({script: [says('My plan.')]});
  await closed.ask(['-p', 'greet', '--approval-mode', 'plan']);
  const names = (place: AgentPlace): readonly string[] => (place.server.requests[0]?.tools ?? []).map(({name}) => name);
  expect(names(closed).filter((name) => name.includes('plan_mode'))).toEqual([]);

  const rule = '[[rule]]\ntoolName = "exit_plan_mode"\ndecision = "allow"\npriority = 900\nmodes = ["plan"]\n';
  await using place = await openAgentPlace({
    script: [presents, writes, says('Written.')],
    files: {'../home/.gemini/policies/plans.toml': rule},
    settings: {general: {plan: {approvedMode: 'auto_edit'}}},
  });
  const {report} = await place.ask(['-p', 'greet', '--approval-mode', 'plan']);
  expect([report.response, report.refused]).toEqual(['Written.', []]);
  expect(await readFile(join(place.project, 'greeting.txt'), 'utf8')).toBe('Hello\n');
});
