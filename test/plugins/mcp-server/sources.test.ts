import {expect, test} from '@jest/globals';
import {installPlugins} from '../../helpers/install-plugins.js';
import {createScene, serve, textOf} from './scene.js';

test('plugins serve prompts and resources, and their notices and forms reach the client [serve.sources]', async () => {
  await using scene = await createScene();
  await installPlugins(scene.home, {present: ['mcp-conformance']});
  await using running = await serve(scene, {
    args: ['--yolo'],
    answer: () => ({action: 'accept', content: {username: 'ann', email: 'ann@example.org'}}),
  });
  const {client} = running;
  const logged: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({params}) => void logged.push(params));
  expect((await client.listPrompts()).prompts.map(({name}) => name)).toContain('test_prompt_with_arguments');
  const {messages} = await client.getPrompt({
    name: 'test_prompt_with_arguments',
    arguments: {arg1: 'one', arg2: 'two'},
  });
  expect(messages).toEqual([
    {role: 'user', content: {type: 'text', text: "Prompt with arguments: arg1='one', arg2='two'"}},
  ]);
  await expect(client.getPrompt({name: 'no_such'})).rejects.toThrow(/^MCP_PROMPT_UNKNOWN: /);
  const completed = await client.complete({
    ref: {type: 'ref/prompt', name: 'test_prompt_with_arguments'},
    argument: {name: 'arg1', value: 'pari'},
  });
  expect(completed.completion.values).toEqual(['paris']);
  const {resources} = await client.listResources();
  expect(resources.map(({name}) => name)).toEqual(['a.txt', 'text', 'binary']);
  expect((await client.readResource({uri: 'test://template/7/data'})).contents).toEqual([
    {uri: 'test://template/7/data', mimeType: 'application/json', text: '{"id":"7"}'},
  ]);
  const asked = await client.callTool({name: 'test_elicitation', arguments: {message: 'Who are you?'}});
  expect(textOf(asked)).toContain('"username":"ann"');
  await client.callTool({name: 'test_tool_with_logging', arguments: {}});
  expect(logged).toContainEqual({
    level: 'info',
    logger: 'mcp-conformance',
    data: {code: 'CONFORMANCE_NOTE', sentence: 'Tool execution started'},
  });
});
