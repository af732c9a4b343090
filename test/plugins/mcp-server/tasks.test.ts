import {describe, expect, test} from '@jest/globals';
import {installPlugins} from '../../helpers/install-plugins.js';
import {runGemini} from '../../helpers/run-gemini.js';
import {openRawClient} from './raw-client.js';
import {createScene, serve, textOf, type Scene} from './scene.js';

const TASKS = {extensions: {'io.modelcontextprotocol/tasks': {}}};
const LACKS = -32021;

async function sceneWithTools(): Promise<Scene> {
  const scene = await createScene();
  await installPlugins(scene.home, {present: ['mcp-conformance']});
  return scene;
}

describe('the tasks extension', () => {
  test('a call that takes long becomes a task, whose result is fetched later [serve.tasks]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, TASKS);
    const quick = await client.send('tools/call', {name: 'greet', arguments: {name: 'Ann'}});
    expect(quick.result).toMatchObject({resultType: 'complete', content: [{type: 'text', text: 'Hello, Ann!'}]});
    const call = await client.send('tools/call', {name: 'slow_compute', arguments: {seconds: 1, label: 'seven'}});
    expect(call.result).toMatchObject({resultType: 'task', status: 'working', ttlMs: 3_600_000, pollIntervalMs: 500});
    const done = await client.until(['completed', 'failed'], call.result?.['taskId']);
    expect(done).toMatchObject({
      status: 'completed',
      resultType: 'complete',
      result: {content: [{type: 'text', text: 'Computed seven.'}]},
    });
  });

  test('a task that asks waits for all of its answers, which may come one by one [serve.tasks]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, {...TASKS, elicitation: {}});
    const {result} = await client.send('tools/call', {name: 'multi_input', arguments: {}});
    const taskId = result?.['taskId'];
    const asking = await client.until(['input_required'], taskId);
    expect(Object.keys(asking['inputRequests'] as object)).toEqual(['first', 'second']);
    expect(asking['inputRequests']).toMatchObject({
      first: {method: 'elicitation/create', params: {message: 'The tool multi_input asks:\nFirst?'}},
    });
    const answer = (name: string, value: string) =>
      client.send('tasks/update', {
        taskId,
        inputResponses: {[name]: {action: 'accept', content: {name: value}}, other: 'ignored'},
      });
    expect((await answer('first', 'one')).result).toMatchObject({resultType: 'complete'});
    const half = await client.send('tasks/get', {taskId});
    expect(Object.keys(half.result?.['inputRequests'] as object)).toEqual(['second']);
    await answer('second', 'two');
    const done = await client.until(['completed', 'failed'], taskId);
    expect(done['result']).toMatchObject({content: [{type: 'text', text: 'one two'}]});
  });

  test('a cancelled task says so, and another cancel or answer changes nothing [serve.tasks]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, TASKS);
    const {result} = await client.send('tools/call', {name: 'slow_compute', arguments: {seconds: 60}});
    const taskId = result?.['taskId'];
    for (const method of ['tasks/cancel', 'tasks/cancel', 'tasks/update'])
      expect((await client.send(method, {taskId, inputResponses: {}})).result).toMatchObject({resultType: 'complete'});
    expect((await client.send('tasks/get', {taskId})).result).toMatchObject({status: 'cancelled'});
  });

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    '%s needs the extension, and the id of a task [serve.tasks]',
    async (method) => {
      await using scene = await createScene();
      await using knowing = openRawClient(scene, TASKS);
      expect(await knowing.send(method, {taskId: 'guessed'})).toMatchObject({error: {code: -32602}});
      await using plain = openRawClient(scene, {});
      expect(await plain.send(method, {taskId: 'guessed'})).toMatchObject({
        error: {code: LACKS, data: {requiredCapabilities: TASKS}},
      });
    },
  );

  test('a client without the extension waits for the result [serve.tasks]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, {});
    const {result} = await client.send('tools/call', {name: 'slow_compute', arguments: {seconds: 1, label: 'x'}});
    expect(result).toMatchObject({resultType: 'complete', content: [{text: 'Computed x.'}]});
  });
});

describe('what a tool may use of the client', () => {
  test('requests go out together, and the names of a question are used once [serve.client]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, {elicitation: {}, sampling: {}, roots: {}});
    const name = 'test_input_required_result_multiple_inputs';
    const asked = await client.send('tools/call', {name, arguments: {}});
    expect(asked.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        user_name: {method: 'elicitation/create'},
        greeting: {method: 'sampling/createMessage'},
        client_roots: {method: 'roots/list'},
      },
    });
    const requestState = asked.result?.['requestState'];
    const elsewhere = await client.send('prompts/get', {name: 'test_simple_prompt', requestState, inputResponses: {}});
    expect(elsewhere.error).toMatchObject({code: -32602});
    const half = await client.send('tools/call', {
      name,
      arguments: {},
      requestState,
      inputResponses: {user_name: {action: 'accept', content: {name: 'Ann'}}},
    });
    expect(Object.keys(half.result?.['inputRequests'] as object)).toEqual(['greeting', 'client_roots']);
    const done = await client.send('tools/call', {
      name,
      arguments: {},
      requestState: half.result?.['requestState'],
      inputResponses: {
        greeting: {role: 'assistant', model: 'm', content: {type: 'text', text: 'Hi.'}},
        client_roots: {roots: []},
      },
    });
    expect(JSON.stringify(done.result)).toContain('Ann');
  });

  test('what a client does not declare is the error of the protocol for it, MCP_CLIENT_LACKS [serve.client]', async () => {
    await using scene = await sceneWithTools();
    await using client = openRawClient(scene, {elicitation: {}});
    const lacking = await client.send('tools/call', {name: 'test_missing_capability', arguments: {}});
    expect(lacking).toMatchObject({error: {code: LACKS, data: {requiredCapabilities: {sampling: {}}}}});
    const required = await client.send('tools/call', {name: 'failing_job', arguments: {}});
    expect(required).toMatchObject({error: {code: LACKS, data: {requiredCapabilities: TASKS}}});
  });

  test('outside of gemini mcp serve there is no client to use, MCP_CLIENT_LACKS [serve.client]', async () => {
    await using scene = await sceneWithTools();
    const words = ['tools', 'call', 'test_sampling', 'prompt=Hello', '--yolo', '--json'];
    const {code, stdout} = await runGemini(words, {home: scene.home, cwd: scene.project});
    expect(code).not.toBe(0);
    expect(stdout).toContain('MCP_CLIENT_LACKS');
  });

  test('a client of an older revision answers while its call runs, or refuses, MCP_CLIENT_FAILED [serve.client]', async () => {
    await using scene = await sceneWithTools();
    await using running = await serve(scene, {args: ['--yolo'], sample: (text) => `You said ${text}.`});
    const call = {name: 'test_sampling', arguments: {prompt: 'hello'}};
    expect(textOf(await running.client.callTool(call))).toBe('LLM response: You said hello.');
    await using other = await serve(scene, {args: ['--yolo'], sample: () => Promise.reject(new Error('Not now.'))});
    expect(textOf(await other.client.callTool(call))).toMatch(/^!MCP_CLIENT_FAILED: .*Not now\./);
  });
});
