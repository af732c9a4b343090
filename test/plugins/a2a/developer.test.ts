import {expect, test} from '@jest/globals';
import {callsTools, says} from '../../helpers/run-agent.js';
import {openA2aPlace, type A2aPlace} from './a2a-place.js';

const EXTENSION = 'https://github.com/google-gemini/gemini-cli/blob/main/docs/a2a/developer-profile/v0/spec.md';
const write = callsTools(['write_file', {file_path: 'b.txt', content: 'two\n'}]);

type Json = Readonly<Record<string, unknown>>;
interface Status {
  readonly taskId: string;
  readonly contextId: string;
  readonly metadata?: Readonly<Record<string, {readonly kind: string; readonly model: string}>>;
  readonly status: {readonly state: string; readonly message?: {readonly parts: readonly Json[]}};
}

/** The states that a message brings, as they are on the wire. */
async function stream(place: A2aPlace, token: string, message: Json, headers: Json = {'a2a-extensions': EXTENSION}) {
  const response = await place.post(
    {
      ...{jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage'},
      params: {message: {messageId: `m${Math.random()}`, role: 'ROLE_USER', ...message}},
    },
    {authorization: `Bearer ${token}`, ...(headers as Record<string, string>)},
  );
  const events = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => (JSON.parse(line.slice(6)) as {result: {statusUpdate?: Status}}).result);
  return {response, states: events.flatMap(({statusUpdate}) => (statusUpdate ? [statusUpdate] : []))};
}

const kindsOf = (states: readonly Status[]): readonly string[] =>
  states.map(({metadata, status}) => `${metadata?.[EXTENSION]?.kind} ${callOf(status)?.['status'] ?? status.state}`);
const callOf = ({message}: Status['status']): Json | undefined =>
  message?.parts.map(({data}) => data as Json | undefined).find((data) => data?.['tool_call_id'] !== undefined);

const answer = (asked: Status, option: string, more: Json = {}) => ({
  ...{taskId: asked.taskId, contextId: asked.contextId},
  parts: [{data: {tool_call_id: callOf(asked.status)?.['tool_call_id'], selected_option_id: option, ...more}}],
});

test('a caller that asks for it gets calls as typed objects, and answers with a choice [peer.developer]', async () => {
  await using place = await openA2aPlace([write, says('Done.')]);
  const token = await place.token();
  await place.start();
  const {response, states} = await stream(place, token, {parts: [{text: 'Write'}]});
  expect(response.headers.get('a2a-extensions')).toBe(EXTENSION);
  expect(kindsOf(states)).toEqual([
    ...['STATE_CHANGE TASK_STATE_WORKING', 'TOOL_CALL_UPDATE EXECUTING', 'TOOL_CALL_UPDATE PENDING'],
    'STATE_CHANGE TASK_STATE_INPUT_REQUIRED',
  ]);
  const asked = states.at(-2);
  if (!asked) throw new Error('It asked nothing.');
  expect(callOf(asked.status)).toMatchObject({
    ...{tool_name: 'write_file', input_parameters: {file_path: 'b.txt', content: 'two\n'}},
    confirmation_request: {
      options: [{id: 'proceed_once'}, {id: 'cancel'}],
      file_edit_details: {file_name: 'b.txt', new_content: 'two\n'},
    },
  });
  const {states: rest} = await stream(place, token, answer(asked, 'proceed_once'));
  expect(kindsOf(rest)).toEqual([
    ...['TOOL_CALL_UPDATE EXECUTING', 'TOOL_CALL_UPDATE SUCCEEDED', 'TEXT_CONTENT TASK_STATE_WORKING'],
    'STATE_CHANGE TASK_STATE_COMPLETED',
  ]);
  expect(rest[0]?.metadata?.[EXTENSION]?.model).toBe('model-a');
  expect(await place.read('b.txt')).toBe('two\n');
}, 60_000);

test.each([
  ['cancel', {}],
  ['proceed_always', {}],
  ['proceed_once', {modified_details: {file_details: {new_content: 'other'}}}],
  ['proceed_once', {tool_call_id: 'another'}],
] as const)(
  'the answer %s %j is a no [peer.developer]',
  async (option, more) => {
    await using place = await openA2aPlace([write, says('Not done.')]);
    const token = await place.token();
    await place.start();
    const {states} = await stream(place, token, {parts: [{text: 'Write'}]});
    const asked = states.at(-2);
    if (!asked) throw new Error('It asked nothing.');
    const {states: rest} = await stream(place, token, answer(asked, option, more));
    expect(rest.at(-1)?.status.state).toBe('TASK_STATE_COMPLETED');
    await expect(place.read('b.txt')).rejects.toThrow('ENOENT');
  },
  60_000,
);

test('a caller that does not ask for it sees what it always saw, and a folder in a message changes nothing [peer.developer]', async () => {
  await using place = await openA2aPlace([says('Done.')]);
  const token = await place.token();
  await place.start();
  const metadata = {[EXTENSION]: {workspace_path: '/'}, agentSettings: {workspacePath: '/', isTrusted: true}};
  const {response, states} = await stream(place, token, {parts: [{text: 'Hi'}], metadata}, {});
  expect(response.headers.get('a2a-extensions')).toBeNull();
  expect(states.every((one) => one.metadata === undefined)).toBe(true);
  expect(JSON.stringify(place.server.requests[0]?.messages)).toContain(place.project);
  const card = await (await fetch(`${place.url}/.well-known/agent-card.json`)).text();
  expect(card).toContain(EXTENSION);
}, 60_000);
