import {expect, test} from '@jest/globals';
import {callsTools, openAgentPlace, says, type AgentPlace} from '../helpers/run-agent.js';
import {CTRL_D, GeminiSitting, PROMPT} from '../helpers/sit-at-gemini.js';
import {ScreenSitting} from '../helpers/sit-at-screen.js';
import {atTerminal} from './run-at-terminal.js';

const left = {code: 0, isRestored: true};
const questions = [
  {
    question: 'Which database?',
    header: 'Database',
    type: 'choice',
    options: [
      {label: 'PostgreSQL', description: 'A server.'},
      {label: 'SQLite', description: 'A file.\u001b[2J'},
    ],
  },
  {question: 'Run the tests?', header: 'Tests', type: 'yesno'},
];
const script = [callsTools(['ask_user', {questions}]), says('Then so.')];

/** What the model got for its call. */
function heard(place: AgentPlace): string {
  const [piece] = place.server.requests.at(-1)?.messages.at(-1)?.pieces ?? [];
  return JSON.stringify(piece);
}

function toolNames(place: AgentPlace): readonly string[] {
  return (place.server.requests[0]?.tools ?? []).map(({name}) => name);
}

atTerminal('a question is a list in the terminal interface, and takes other words [questions.asked]', async () => {
  await using place = await openAgentPlace({script, settings: {ui: {mode: ''}}});
  await using sitting = await ScreenSitting.begin(place);
  await sitting.seeAt('>');
  sitting.type('set it up\r');
  await sitting.see('3. Something else');
  await sitting.see('Which database?');
  await sitting.see('1. PostgreSQL');
  sitting.type('3');
  await sitting.see('Run the tests?');
  sitting.type('y');
  await sitting.see('Your own words');
  await sitting.seeAt('Which database?');
  sitting.type('DuckDB\r');
  await sitting.see('Then so.');
  expect(heard(place)).toContain(JSON.stringify(JSON.stringify({answers: {0: 'DuckDB', 1: 'Yes'}})).slice(1, -1));
  await sitting.lose('Ctrl+C stops');
  sitting.type(CTRL_D);
  expect(await sitting.end()).toEqual(left);
});

atTerminal('Escape closes a question, and the model learns it [questions.asked]', async () => {
  await using place = await openAgentPlace({script, settings: {ui: {mode: ''}}});
  await using sitting = await ScreenSitting.begin(place);
  await sitting.seeAt('>');
  sitting.type('set it up\r');
  await sitting.see('3. Something else');
  sitting.type('\u001b');
  await sitting.see('Then so.');
  expect(heard(place)).toContain('The user closed the questions without answering them.');
});

atTerminal('the console asks line by line [questions.asked]', async () => {
  await using place = await openAgentPlace({script});
  await using sitting = await GeminiSitting.begin(place);
  await sitting.go(
    [PROMPT, 'set it up\r'],
    ['2. SQLite: A file.\\u001b[2J', ''],
    ['Which database?', '2\r'],
    ['Run the tests?', 'n\r'],
    ['Then so.', ''],
    [PROMPT, CTRL_D],
  );
  expect(await sitting.end()).toEqual(left);
  expect(heard(place)).toContain(JSON.stringify(JSON.stringify({answers: {0: 'SQLite', 1: 'No'}})).slice(1, -1));
});

test('a run without a person answers from --answers, and otherwise does not offer the tool [questions.headless]', async () => {
  await using silent = await openAgentPlace({script: [says('Fine.')]});
  expect((await silent.ask(['-p', 'x'])).report.response).toBe('Fine.');
  expect(toolNames(silent)).not.toContain('ask_user');

  const files = {'answers.json': '{"Database": "sqlite", "Tests": true}', 'broken.json': '{"Database": 3}'};
  await using place = await openAgentPlace({script, files});
  const {report} = await place.ask(['-p', 'x', '--answers', 'answers.json']);
  expect([report.response, report.refused]).toEqual(['Then so.', []]);
  expect(toolNames(place)).toContain('ask_user');
  expect(heard(place)).toContain(JSON.stringify(JSON.stringify({answers: {0: 'SQLite', 1: 'Yes'}})).slice(1, -1));

  const asked = place.server.requests.length;
  const broken = await place.ask(['-p', 'x', '--answers', 'broken.json']);
  expect(broken.report.error).toMatchObject({code: 'ANSWERS_UNREADABLE', exit: 42});
  expect([broken.code, place.server.requests.length]).toEqual([42, asked]);
});
