import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {readHeadTable} from '@gemini-kernel/files';
import {callsTools, says} from '../../helpers/run-agent.js';
import {script} from '../mcp/scene.js';
import {agentFile, delegates, heard, openAgents, type Options} from './scene.js';

const head = (notes: string): string =>
  'tools: [read_file]\nmcp_servers:\n  terms: # of this agent\n    command: ' +
  `${JSON.stringify(process.execPath)}\n    args:\n      - ${JSON.stringify(script)}\n      - "notes=${notes}"\n    trust: true\n`;

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};

/** A conversation with an agent whose server notes that it starts. */
function openServer(notes: string, options: Options = {}) {
  const seen: {running?: boolean; tools?: readonly string[]} = {};
  const script = delegates('helper', (turn, {tools}) => {
    seen.tools = tools.map(({name}) => name);
    if (turn === 1) return callsTools(['mcp_terms_echo', {text: 'hello'}]);
    seen.running = isRunning(Number(/start (\d+)/.exec(noted())?.[1]));
    return says('It said hello.');
  });
  let noted = (): string => '';
  const opening = openAgents(script, {
    ...options,
    more: ['mcp'],
    variables: {PATH: process.env['PATH'], ...options.variables},
  });
  return opening.then(async (conversation) => {
    const file = join(conversation.kernel.project, notes);
    const {readFileSync} = await import('node:fs');
    noted = () => readFileSync(file, 'utf8');
    return Object.assign(conversation, {seen, file});
  });
}

test('the MCP servers of an agent start for it, are judged like others, and end with it [agents.servers]', async () => {
  await using scene = await openServer('notes.txt', {
    homeFiles: {'.gemini/agents/helper.md': agentFile('helper', head('notes.txt'))},
  });
  expect(await scene.send('go')).toMatchObject({status: 'done'});
  expect(heard(scene)).toContain('It said hello.');
  expect(scene.seen.running).toBe(true);
  expect(scene.seen.tools).toContain('mcp_terms_echo');
  expect(scene.seen.tools).toContain('read_file');
  expect(scene.seen.tools).not.toContain('write_file');
  // The main agent has none of them, and what the definition says about trust does not count: the person was asked.
  expect(scene.server.requests[0]?.tools.map(({name}) => name)).not.toContain('mcp_terms_echo');
  const text = await readFile(scene.file, 'utf8');
  const pids = [...text.matchAll(/start (\d+)/g)].map(([, pid]) => Number(pid));
  expect(pids).toHaveLength(1);
  expect(pids.map(isRunning)).toEqual([false]);
});

test('the definition of a project starts no server before the person has agreed to it [agents.servers]', async () => {
  await using scene = await openServer('notes.txt', {
    files: {'.gemini/agents/helper.md': agentFile('helper', head('notes.txt'))},
  });
  await scene.send('go');
  expect(heard(scene)).toContain('There is no agent');
  expect(existsSync(scene.file)).toBe(false);
});

test('in a folder without trust no server of an agent starts [agents.servers]', async () => {
  await using scene = await openServer('notes.txt', {
    homeFiles: {'.gemini/agents/helper.md': agentFile('helper', head('notes.txt'))},
    variables: {GEMINI_CLI_TRUST_WORKSPACE: 'false'},
  });
  await scene.send('go');
  expect(scene.seen.tools ?? []).not.toContain('mcp_terms_echo');
  expect(existsSync(scene.file)).toBe(false);
});

test('settings add servers to an agent and take none of its own away [agents.servers]', async () => {
  await using scene = await openServer('notes.txt', {
    homeFiles: {'.gemini/agents/helper.md': agentFile('helper', head('notes.txt'))},
    settings: {agents: {overrides: {helper: {mcpServers: {more: {command: 'x'}}, runConfig: {maxTurns: 5}}}}},
    files: {
      '.gemini/settings.json': '{"agents": {"overrides": {"helper": {"mcpServers": {"theirs": {"command": "y"}}}}}}',
    },
  });
  const {agents} = await (await scene.kernel.service('subagents')).list();
  const helper = agents.find(({name}) => name === 'helper');
  expect(Object.keys(helper?.servers ?? {})).toEqual(['terms', 'more']);
  expect(helper?.servers?.['terms']).toMatchObject({args: [script, 'notes=notes.txt']});
});

test('tables in heads are read as YAML has them, and what is not one is a sentence [agents.servers]', () => {
  const read = (lines: string) => readHeadTable(`---\nname: x\n${lines}\ndescription: y\n---\nbody`, 'servers');
  expect(
    read(
      'servers:\n  a:\n    url: http://localhost:1/a#b # here\n    timeout: 500\n    on: true\n' +
        '    "odd key": \'it\'\'s\'\n    list:\n    - one\n    - "two, three"\n' +
        '    flow: [a, "b, c"]\n    json: {"k": 1}\n  b:\n    env:\n      K: "5"',
    ),
  ).toEqual({
    a: {
      ...{url: 'http://localhost:1/a#b', timeout: 500, on: true, 'odd key': "it's", list: ['one', 'two, three']},
      ...{flow: ['a', 'b, c'], json: {k: 1}},
    },
    b: {env: {K: '5'}},
  });
  expect(read('servers: {"a": {"command": "x"}}')).toEqual({a: {command: 'x'}});
  expect(read('other: 1')).toBeUndefined();
  for (const bad of [
    'servers: {x',
    'servers: a',
    'servers:\n  - a',
    'servers:\n  a: 1\n  a: 2',
    'servers:\n    a:\n  b: 1',
  ])
    expect(typeof read(bad)).toBe('string');
  const deep = Array.from({length: 20}, (_, at) => `${'  '.repeat(at + 1)}a:`).join('\n');
  expect(read(`servers:\n${deep}`)).toContain('too many levels');
});
