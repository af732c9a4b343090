import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {startOpenaiServer} from '../../helpers/openai-server.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startOpenaiServer({script: () => ({pieces: [{kind: 'text', text: 'Yes.'}]})});
});
afterAll(() => server.close());

const user = {role: 'user', content: 'Hello.'};
const calls = (...ids: readonly string[]): object => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({id, type: 'function', function: {name: 'look', arguments: '{}'}})),
});
const result = (id: string): object => ({role: 'tool', tool_call_id: id, content: 'x'});
const asking = (...messages: readonly object[]): object => ({model: 'm', messages});
const tool = (more: object): object => ({
  ...asking(user),
  tools: [{type: 'function', function: {name: 'look', description: 'Looks.', ...more}}],
});

async function post(body: unknown): Promise<{
  readonly status: number;
  readonly body: {readonly error?: {readonly message: string}; readonly choices?: readonly object[]};
}> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {method: 'POST', body: JSON.stringify(body)});
  return {status: response.status, body: (await response.json()) as object};
}

test.each<[string, unknown]>([
  ['The body is not a JSON object.', 'x'],
  ['No model is named.', {messages: [user]}],
  ['There are options of a stream, but none is asked for.', {...asking(user), stream_options: {include_usage: true}}],
  ['The last message asks nothing.', asking()],
  ['messages[1] is of user again.', asking(user, user)],
  ['messages[1] is an instruction, but not the first message.', asking(user, {role: 'system', content: 'x'})],
  ['messages[0] is of the assistant, but there is no question.', asking(calls('a'))],
  ['messages[0] is empty.', asking({role: 'user', content: ''})],
  ['messages[1] says nothing.', asking(user, {role: 'assistant', content: null})],
  ['messages[0] has an empty part.', asking({role: 'user', content: [{type: 'text', text: ''}]})],
  [
    'messages[0] has calls, but is not of the assistant.',
    asking({...user, tool_calls: (calls('a') as {tool_calls: object}).tool_calls}),
  ],
  ['messages[1] has two calls with the same id.', asking(user, calls('a', 'a'), result('a'), result('a'))],
  [
    'messages[1] has a call whose arguments are no JSON object.',
    asking(
      user,
      {role: 'assistant', tool_calls: [{id: 'a', type: 'function', function: {name: 'look', arguments: ''}}]},
      result('a'),
    ),
  ],
  ['messages[2] is the result of b, which is not asked for here.', asking(user, calls('a'), result('b'))],
  ['messages[3] is the result of a, which is not asked for here.', asking(user, calls('a'), result('a'), result('a'))],
  ['messages[2] comes before the results of a.', asking(user, calls('a'), user)],
  ['There are no results of a.', asking(user, calls('a'))],
  ['The list of tools is empty.', {...asking(user), tools: []}],
  ['The tool look is not declared well.', tool({description: ''})],
  ['The schema of the tool look is invalid: data/required must be array', tool({parameters: {required: 'x'}})],
])('the scripted server refuses a request with: %s', async (fault, body) => {
  const answer = await post(body);
  expect([answer.status, answer.body.error?.message, server.faults.at(-1)]).toEqual([400, fault, fault]);
});

test('it takes a conversation with calls, results and pictures', async () => {
  const picture = {
    role: 'user',
    content: [
      {type: 'text', text: 'See.'},
      {type: 'image_url', image_url: {url: 'data:image/png;base64,aGk='}},
    ],
  };
  const before = server.faults.length;
  const answer = await post(
    asking({role: 'system', content: 'Be brief.'}, user, calls('a', 'b'), result('b'), result('a'), picture),
  );
  expect([answer, server.faults.length]).toEqual([
    {
      status: 200,
      body: {
        id: 'chatcmpl-scripted',
        object: 'chat.completion',
        created: 0,
        model: 'm',
        choices: [{index: 0, message: {role: 'assistant', content: 'Yes.'}, finish_reason: 'stop'}],
      },
    },
    before,
  ]);
});
