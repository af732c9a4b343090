import {expect, test} from '@jest/globals';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {AgentEvent} from '@gemini-kernel/plugin-agent/contract';
import {startOpenaiServer} from '../../helpers/openai-server.js';
import {pluginRoot} from '../../helpers/plugin-root.js';

test('a model behind another API takes the same way, and arguments that are not JSON go back to it [agent.failures]', async () => {
  await using server = await startOpenaiServer({
    script: [
      {
        pieces: [
          {kind: 'text', text: 'Looking.'},
          {kind: 'call', name: 'read_file', raw: '{"file_path": "a.t'},
          {kind: 'call', name: 'read_file', input: {file_path: 'a.txt'}},
        ],
      },
      {pieces: [{kind: 'text', text: 'It says alpha.'}]},
    ],
  });
  const plugins = [
    'settings',
    'trust',
    'env',
    'network',
    'workspace',
    'policy',
    'filesystem',
    'agent',
    'model-openai',
  ].map(pluginRoot);
  await using kernel = await createTestKernel({
    plugins,
    live: true,
    files: {'a.txt': 'alpha\n'},
    flags: {'model.name': 'openai:local'},
    variables: {OPENAI_BASE_URL: `${server.url}/v1`, GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  const events: AgentEvent[] = [];
  const agent = await kernel.service('agent');
  expect(
    await agent.send({text: 'go'}, {signal: new AbortController().signal, onEvent: (event) => void events.push(event)}),
  ).toMatchObject({status: 'done', text: 'It says alpha.'});
  const results = server.requests[1]?.messages.at(-1)?.pieces ?? [];
  expect(results).toMatchObject([
    {kind: 'result', output: [{text: expect.stringContaining('not JSON')}]},
    {kind: 'result', output: [{text: 'alpha\n'}]},
  ]);
  expect(events.flatMap((event) => (event.kind === 'result' ? [event.call.error?.code] : []))).toEqual([
    'CALL_MALFORMED',
    undefined,
  ]);
  expect(server.faults).toEqual([]);
});
