import {execFileSync} from 'node:child_process';
import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import type {ToolOutcome} from '@gemini-kernel/kernel/host';
import type {Task} from '@gemini-kernel/plugin-todos/contract';
import {callsTools, openAgentPlace, says} from '../../helpers/run-agent.js';
import {startConversation} from '../agent/conversation.js';

const on = {settings: {experimental: {taskTracker: true}}};
const work = (title: string, more: object = {}): object => ({title, description: '', type: 'task', ...more});

type Talk = Awaited<ReturnType<typeof startConversation>>;

function start(): Promise<Talk> {
  return startConversation({script: [], more: ['todos'], ...on});
}

async function run(talk: Talk, tool: string, input: object): Promise<ToolOutcome> {
  return talk.kernel.call(`tracker_${tool}`, input);
}

async function create(talk: Talk, title: string, more: object = {}): Promise<Task> {
  const outcome = await run(talk, 'create_task', work(title, more));
  if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
  return (outcome.result.data as {task: Task}).task;
}

describe('the task tracker', () => {
  test('keeps tasks with parents and dependencies, and shows them as a tree [todos.tracker]', async () => {
    await using talk = await start();
    const epic = await create(talk, 'Rename orders', {type: 'epic'});
    const one = await create(talk, 'Change  the\n schema', {parentId: epic.id});
    const two = await create(talk, 'Change the API', {parentId: epic.id, dependencies: [one.id], description: 'REST.'});
    await run(talk, 'update_task', {id: one.id, status: 'in_progress'});
    const tree =
      `0 of 3 closed\n☐ ${epic.id} Rename orders [epic]\n  ▶ ${one.id} Change the schema\n` +
      `  ☐ ${two.id} Change the API (after ${one.id})`;
    expect(await run(talk, 'visualize', {})).toMatchObject({status: 'done', result: {model: tree, display: tree}});
    expect(await run(talk, 'get_task', {id: two.id})).toMatchObject({
      result: {model: `${two.id} [task, open] Change the API\npart of ${epic.id}\nafter ${one.id}\n\nREST.`},
    });
    expect(await run(talk, 'list_tasks', {type: 'epic'})).toMatchObject({result: {data: {tasks: [{id: epic.id}]}}});
    expect(await run(talk, 'list_tasks', {parentId: epic.id, status: 'open'})).toMatchObject({
      result: {data: {tasks: [{id: two.id}]}},
    });
  });

  test('refuses what cannot be, and keeps what it has: TRACKER_INVALID [todos.tracker]', async () => {
    await using talk = await start();
    const [one, two, three] = [await create(talk, 'one'), await create(talk, 'two'), await create(talk, 'three')];
    expect(await run(talk, 'add_dependency', {taskId: two.id, dependencyId: one.id})).toMatchObject({status: 'done'});
    expect(await run(talk, 'add_dependency', {taskId: three.id, dependencyId: two.id})).toMatchObject({status: 'done'});
    const refusals: readonly (readonly [string, object, string])[] = [
      ['add_dependency', {taskId: one.id, dependencyId: three.id}, 'wait for each other'],
      ['add_dependency', {taskId: one.id, dependencyId: one.id}, `${one.id} -> ${one.id}`],
      ['update_task', {id: two.id, status: 'closed'}, `Task ${two.id} cannot be closed before ${one.id}.`],
      ['update_task', {id: one.id, title: '  '}, 'A task needs a title.'],
      ['get_task', {id: 'ffffff'}, 'There is no task "ffffff".'],
      ['create_task', work('four', {parentId: 'ffffff'}), 'There is no task "ffffff".'],
    ];
    for (const [tool, input, message] of refusals)
      expect(await run(talk, tool, input)).toMatchObject({
        status: 'failed',
        error: {code: 'TRACKER_INVALID', message: expect.stringContaining(message)},
      });
    for (const [tool, input] of [
      ['get_task', {id: '../../x'}],
      ['create_task', work('five', {type: 'story'})],
    ] as const)
      expect(await run(talk, tool, input)).toMatchObject({error: {code: 'TOOL_INPUT_INVALID'}});
    for (const {id} of [one, two, three])
      expect(await run(talk, 'update_task', {id, status: 'closed'})).toMatchObject({status: 'done'});
    expect(await (await talk.kernel.service('tracker')).list()).toHaveLength(3);
  });

  test('loses no task of calls side by side [todos.tracker]', async () => {
    await using talk = await start();
    await Promise.all(Array.from({length: 40}, (_, index) => create(talk, `task ${index}`)));
    const tasks = await (await talk.kernel.service('tracker')).list();
    expect(new Set(tasks.map(({id}) => id)).size).toBe(40);
  });

  test('is offered in place of the list of steps where it is turned on [todos.tracker]', async () => {
    const offered = async (settings: object): Promise<readonly string[]> => {
      await using place = await openAgentPlace({
        script: [says('Hello.')],
        files: {'.gemini/settings.json': JSON.stringify(settings)},
        variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
      });
      await place.ask(['-p', 'hi']);
      const tools = place.server.requests.at(-1)?.tools ?? [];
      return tools.map(({name}) => name).filter((name) => /todos|tracker/.test(name));
    };
    expect(await offered({})).toEqual(['write_todos']);
    expect(await offered({useWriteTodos: false})).toEqual([]);
    expect(await offered(on.settings)).toHaveLength(6);
  });
});

test('a continued session has its tasks again, also those that Gemini CLI wrote [todos.tracker]', async () => {
  await using place = await openAgentPlace({
    script: [callsTools(['tracker_create_task', work('Test it')]), says('Later.'), says('Now.'), says('And now.')],
    files: {'.gemini/settings.json': JSON.stringify(on.settings)},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'true'},
  });
  await place.ask(['-p', 'begin']);
  await place.ask(['-p', 'continue', '--resume', 'latest']);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toMatch(/☐ [0-9a-f]{6} Test it/);

  const root = join(place.home, '.gemini', 'tmp');
  const folder = (await readdir(root, {recursive: true})).find((one) => one.endsWith('tracker')) ?? '';
  const [name = ''] = await readdir(join(root, folder));
  const kept = JSON.parse(await readFile(join(root, folder, name), 'utf8')) as Task;
  expect(kept).toMatchObject({title: 'Test it', status: 'open', dependencies: []});
  const other = {...kept, id: 'abcdef', title: 'Theirs', parentId: null, metadata: {a: 1}};
  await writeFile(join(root, folder, 'abcdef.json'), JSON.stringify(other));
  await writeFile(join(root, folder, '000000.json'), '{"id": ');
  await mkdir(join(root, folder, '111111.json'));
  execFileSync('mkfifo', [join(root, folder, '222222.json')]);
  const {stderr} = await place.run(['-p', 'again', '--resume', 'latest']);
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('☐ abcdef Theirs');
  for (const odd of ['000000', '111111', '222222']) expect(stderr).toContain(`${odd}.json is left out: `);
});
