import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from '@jest/globals';
import type {ScriptedAnswer} from '@gemini-kernel/plugin-agent/testing';
import {startGeminiServer} from '../../helpers/gemini-server.js';
import type {ScriptedServer} from '../../helpers/scripted-server.js';
import {createScene, serve, textOf} from './scene.js';

const say = (text: string): ScriptedAnswer => ({pieces: [{kind: 'text', text}]});
const write: ScriptedAnswer = {
  pieces: [{kind: 'call', id: 'w1', name: 'write_file', input: {file_path: 'b.txt', content: 'by the agent'}}],
};

let model: ScriptedServer;
beforeEach(async () => {
  model = await startGeminiServer();
});
afterEach(() => model.close());
const variables = (): Record<string, string> => ({GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: model.url});

test('the agent starts a thread, asks at the client, streams, and continues by its id [serve.agent]', async () => {
  await using scene = await createScene();
  const asked: string[] = [];
  await using running = await serve(scene, {
    args: ['--face', 'agent'],
    variables: variables(),
    answer: ({message}) => {
      asked.push(message);
      return {action: 'accept', content: {answer: 'yes'}};
    },
  });
  const {client} = running;
  expect((await client.listTools()).tools.map(({name}) => name)).toEqual(['agent_start', 'agent_continue']);
  expect(textOf(await client.callTool({name: 'read_file', arguments: {file_path: 'a.txt'}}))).toMatch(/^!There is no/);
  model.script([write, say('Written.')]);
  const seen: string[] = [];
  const first = await client.callTool(
    {name: 'agent_start', arguments: {prompt: 'write it'}},
    {onprogress: ({message}) => void seen.push(message ?? '')},
  );
  expect(textOf(first)).toBe('Written.');
  expect(await readFile(join(scene.project, 'b.txt'), 'utf8')).toBe('by the agent');
  expect(asked).toEqual([expect.stringContaining('Run write_file?')]);
  expect(seen).toEqual(expect.arrayContaining(['Calls write_file.', 'Written.']));
  const {thread_id: id, ...end} = first.structuredContent as {readonly thread_id: string};
  expect(end).toEqual({status: 'done', text: 'Written.', changed: [join(scene.project, 'b.txt')], refused: []});
  model.script([say('Again.')]);
  const second = await client.callTool({name: 'agent_continue', arguments: {thread_id: id, prompt: 'continue'}});
  expect(textOf(second)).toBe('Again.');
  expect(second.structuredContent).toMatchObject({thread_id: id});
  expect(JSON.stringify(model.requests.at(-1))).toContain('write it');
});

test('no client can name the thread of another one [serve.alone] [serve.agent]', async () => {
  await using scene = await createScene();
  const face = {args: ['--face', 'both'], variables: variables()};
  await using one = await serve(scene, face);
  await using two = await serve(scene, face);
  model.script([say('Mine.')]);
  const {structuredContent} = await one.client.callTool({name: 'agent_start', arguments: {prompt: 'go'}});
  const {thread_id: id} = structuredContent as {readonly thread_id: string};
  const foreign = await two.client.callTool({name: 'agent_continue', arguments: {thread_id: id, prompt: 'go'}});
  expect(textOf(foreign)).toBe(`!There is no thread "${id}" of this client. Start one with agent_start.`);
  expect(textOf(await two.client.callTool({name: 'agent_start', arguments: {}}))).toBe(
    '!The input needs "prompt", a text.',
  );
});

test('without elicitation the agent is refused what asks [serve.ask] [serve.agent]', async () => {
  await using scene = await createScene();
  await using running = await serve(scene, {args: ['--face', 'agent'], variables: variables()});
  model.script([write, say('I could not.')]);
  const result = await running.client.callTool({name: 'agent_start', arguments: {prompt: 'write it'}});
  expect(textOf(result)).toBe('I could not.');
  await expect(readFile(join(scene.project, 'b.txt'))).rejects.toThrow('ENOENT');
});
