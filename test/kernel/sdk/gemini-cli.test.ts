import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {
  GeminiCliAgent,
  ModelVisibleError,
  skillDir,
  tool,
  type GeminiCliAgentOptions,
  type ServerEvent,
} from '@gemini-kernel/sdk/gemini-cli';
import {z} from 'zod';
import {callsTools, says} from '../../helpers/run-agent.js';
import {openSdkPlace, type SdkPlace} from './sdk-place.js';

/** Runs `act` with the process in a place, as a program would be started there. */
async function inside<T>({home, variables}: SdkPlace, act: () => Promise<T>): Promise<T> {
  const before = {...process.env};
  Object.assign(process.env, variables, {GEMINI_CLI_HOME: home, GEMINI_MODEL: 'model-a'});
  try {
    return await act();
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

async function run(place: SdkPlace, options: Partial<GeminiCliAgentOptions>, prompt = 'Go.') {
  return inside(place, async () => {
    const agent = new GeminiCliAgent({instructions: 'Be brief.', cwd: place.cwd, ...options});
    const session = agent.session();
    const events: ServerEvent[] = [];
    try {
      for await (const event of session.sendStream(prompt)) events.push(event);
    } finally {
      await session.dispose();
    }
    return {events, id: session.id};
  });
}

test('a program for the SDK of Gemini CLI gets its events, and its tools of zod run [sdk.compatible]', async () => {
  await using place = await openSdkPlace([callsTools(['add', {a: 5}]), says('11')]);
  const add = tool(
    {name: 'add', description: 'Adds.', inputSchema: z.object({a: z.number(), b: z.number().default(6)})},
    async ({a, b}, context) => ({result: a + b, at: context?.cwd, said: context?.transcript.length !== 0}),
  );
  const {events, id} = await run(place, {tools: [add]});
  expect(events).toMatchObject([
    {type: 'model_info', value: 'model-a'},
    {type: 'tool_call_request', value: {name: 'add', args: {a: 5}, isClientInitiated: false, prompt_id: id}},
    {type: 'tool_call_response', value: {resultDisplay: expect.stringContaining('"result": 11') as unknown}},
    {type: 'content', value: '11'},
    {type: 'finished', value: {reason: 'STOP', usageMetadata: {totalTokenCount: 24}}},
  ]);
  expect(place.server.requests[0]?.system).toContain('Be brief.');
});

test('the model reads the message of an error only where the program says so [sdk.compatible]', async () => {
  await using place = await openSdkPlace([callsTools(['a', {}], ['b', {}], ['c', {}]), says('Done.')]);
  const failing = (name: string, error: Error, more = {}) =>
    tool<unknown>({name, description: name, inputSchema: {type: 'object'}, ...more}, async () => {
      throw error;
    });
  await run(place, {
    tools: [
      failing('a', new Error('secret of a')),
      failing('b', new ModelVisibleError('message of b')),
      failing('c', new Error('message of c'), {sendErrorsToModel: true}),
    ],
  });
  const text = JSON.stringify(place.server.requests.at(-1)?.messages);
  for (const seen of ['message of b', 'message of c']) expect(text).toContain(seen);
});

test('files and commands of an action are judged by the rules [sdk.compatible]', async () => {
  await using place = await openSdkPlace([callsTools(['look', {}]), says('Done.')]);
  const found: unknown[] = [];
  const look = tool<unknown>(
    {name: 'look', description: 'Looks.', inputSchema: {type: 'object'}},
    async (_, context) => {
      found.push(await context?.fs.readFile('a.txt'), await context?.fs.readFile('none.txt'));
      await context?.fs.writeFile('b.txt', 'two').catch((error: unknown) => found.push((error as Error).message));
      found.push((await context?.shell.exec('touch c.txt'))?.error instanceof Error);
      return 'looked';
    },
  );
  await run(place, {tools: [look]});
  expect(found).toMatchObject(['one\n', null, expect.stringContaining(''), true]);
});

test('skills are found in their folders, and a session is resumed by its id [sdk.compatible]', async () => {
  await using place = await openSdkPlace([says('One.'), says('Two.')]);
  const skills = join(place.root, 'skills', 'pirate');
  await mkdir(skills, {recursive: true});
  await writeFile(join(skills, 'SKILL.md'), '---\nname: pirate\ndescription: Talks like a pirate.\n---\nArr.\n');
  const options = {skills: [skillDir(join(place.root, 'skills'))], instructions: async () => 'Made when it began.'};
  const {id} = await run(place, options, 'First.');
  expect(JSON.stringify(place.server.requests[0])).toContain('Talks like a pirate.');
  expect(place.server.requests[0]?.system).toContain('Made when it began.');
  await inside(place, async () => {
    const agent = new GeminiCliAgent({instructions: 'x', cwd: place.cwd});
    const session = await agent.resumeSession(id);
    for await (const event of session.sendStream('Second.')) expect(event.type).not.toBe('error');
    await session.dispose();
    await expect(agent.resumeSession('none')).rejects.toMatchObject({code: 'SESSION_UNKNOWN'});
  });
  expect(JSON.stringify(place.server.requests.at(-1)?.messages)).toContain('First.');
});
