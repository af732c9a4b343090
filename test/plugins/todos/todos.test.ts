import {describe, expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-todos/contract';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';
import {startConversation} from '../agent/conversation.js';

const step = (description: string, status = 'pending'): object => ({description, status});
const todos = [step('Read  the\n code', 'completed'), step('Change it', 'in_progress'), step('Test it')];

describe('write_todos', () => {
  test('keeps the list and shows it, without a question [todos.list]', async () => {
    await using talk = await startConversation({script: [], more: ['todos']});
    expect(await talk.kernel.call('write_todos', {todos})).toMatchObject({
      status: 'done',
      result: {
        model: 'The steps are now:\n1. [completed] Read the code\n2. [in_progress] Change it\n3. [pending] Test it',
        display: '1 of 3 done\n☑ Read the code\n▶ Change it\n☐ Test it',
      },
    });
    const list = await talk.kernel.service('todos');
    expect((await list.list()).map(({status}) => status)).toEqual(['completed', 'in_progress', 'pending']);
    expect(await talk.kernel.call('write_todos', {todos: []})).toMatchObject({
      result: {model: 'The list of steps is empty now.', display: 'No steps.'},
    });
  });

  test.each([
    [{todos: [step('a', 'in_progress'), step('b', 'in_progress')]}, 'TODOS_INVALID', '2 steps are in progress.'],
    [{todos: [step(' ')]}, 'TODOS_INVALID', 'Step 1 has no description.'],
    [{todos: [step('a', 'done')]}, 'TOOL_INPUT_INVALID', 'status'],
    [{todos: [{...step('a'), other: 1}]}, 'TOOL_INPUT_INVALID', 'other'],
    [{}, 'TOOL_INPUT_INVALID', 'todos'],
  ])('refuses %j, and keeps the list [todos.list]', async (input, code, sentence) => {
    await using talk = await startConversation({script: [], more: ['todos']});
    await talk.kernel.call('write_todos', {todos});
    expect(await talk.kernel.call('write_todos', input)).toMatchObject({
      status: 'failed',
      error: {code, message: expect.stringContaining(sentence)},
    });
    expect(await (await talk.kernel.service('todos')).list()).toHaveLength(3);
  });
});

test('a continued session has its steps again, and tells the model what is left [todos.resumed]', async () => {
  await using place = await openAgentPlace({
    script: [callsTools(['write_todos', {todos}]), says('Later.'), says('Now.')],
  });
  const {events} = await place.stream(['-p', 'begin']);
  expect(events).toContainEqual(
    expect.objectContaining({type: 'tool_use', tool_name: 'write_todos', parameters: {todos}}),
  );
  await place.ask(['-p', 'continue', '--resume', 'latest']);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('3. [pending] Test it');
});
