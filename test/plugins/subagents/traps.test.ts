import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {callsTools, says} from '../../helpers/run-agent.js';
import {hook} from '../hooks/scene.js';
import {agentFile, delegates, heard, openAgents} from './scene.js';

/** What goes wrong in Gemini CLI, as far as no other suite here shows that it does not. */

test('the time in which a person is asked does not count for an agent [agents.limit]', async () => {
  await using folder = await makeFolder();
  const slow = await makePlugin(folder.path, {
    name: 'slow-person',
    listeners: [{hook: 'tool:confirm', module: './confirm.js'}],
    files: {
      'confirm.js': listenerCode(
        'tool:confirm',
        "await new Promise((resolve) => setTimeout(resolve, 1500)); return {decision: 'yes'};",
      ),
    },
  });
  await using conversation = await openAgents(
    delegates('helper', (turn) =>
      turn === 1 ? callsTools(['write_file', {file_path: 'b.txt', content: 'x'}]) : says('Written.'),
    ),
    {homeFiles: {'.gemini/agents/helper.md': agentFile('helper', 'timeout_mins: 0.015\n')}, others: [slow]},
  );
  await conversation.send('go');
  expect(heard(conversation)).toContain('Termination Reason: GOAL\\nResult:\\nWritten.');
  expect(await readFile(join(conversation.kernel.project, 'b.txt'), 'utf8')).toBe('x');
});

test('hooks see each step of an agent, and the prompt of the person once [agents.hooks]', async () => {
  const note = (event: string): object => ({
    hooks: [hook(`cat >/dev/null; echo ${event} >> notes`)],
  });
  const events = ['BeforeAgent', 'AfterAgent', 'BeforeModel', 'BeforeTool'];
  await using conversation = await openAgents(
    delegates('helper', (turn) => (turn === 1 ? callsTools(['read_file', {file_path: 'a.txt'}]) : says('Read.'))),
    {
      ...{files: {'a.txt': 'x\n'}, more: ['secrets', 'hooks'], variables: {PATH: process.env['PATH']}},
      homeFiles: {'.gemini/agents/helper.md': agentFile('helper')},
      settings: {hooks: Object.fromEntries(events.map((event) => [event, [note(event)]]))},
    },
  );
  await conversation.send('go');
  const noted = (await readFile(join(conversation.kernel.project, 'notes'), 'utf8')).trim().split('\n');
  const count = (event: string): number => noted.filter((one) => one === event).length;
  // Two requests of the conversation and two of the agent; its call, and the call of it.
  expect(events.map((event) => `${event} ${count(event)}`)).toEqual([
    ...['BeforeAgent 1', 'AfterAgent 1', 'BeforeModel 4', 'BeforeTool 2'],
  ]);
});

test('a tool that is not there is named, and the agent works with the others [agents.tools]', async () => {
  await using conversation = await openAgents(
    delegates('helper', (_, {tools}) => says(tools.map(({name}) => name).join(' '))),
    {homeFiles: {'.gemini/agents/helper.md': agentFile('helper', 'tools: [read_file, no_such_tool]\n')}},
  );
  await conversation.send('go');
  expect(heard(conversation)).toContain('Result:\\nread_file\"');
});
