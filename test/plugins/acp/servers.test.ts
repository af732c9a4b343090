import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {CreateElicitationRequest, McpServer} from '@agentclientprotocol/sdk';
import {checkout} from '../../helpers/plugin-root.js';
import {call, connect, createScene, say, type Connected, type Person, type Scene} from './scene.js';

const script = join(checkout, 'test', 'fixtures', 'mcp', 'server.mjs');
const server = (name: string, ...words: string[]): McpServer => ({
  ...{name, command: process.execPath, args: [script, ...words]},
  env: [],
});
const echo = call('e', 'mcp_given_echo', {text: 'hello'});
const untrusted = {GEMINI_CLI_TRUST_WORKSPACE: ''};
const folderTrust = {'home/.gemini/settings.json': '{"security": {"folderTrust": {"enabled": true}}}'};

/** The tools that the model was offered last. */
const offered = (scene: Scene): readonly string[] => (scene.model.requests.at(-1)?.tools ?? []).map(({name}) => name);

async function ask(editor: Connected, scene: Scene, servers: McpServer[]): Promise<string> {
  const {sessionId} = await editor.open({mcpServers: servers});
  scene.model.script([echo, say('ok')]);
  await editor.prompt(sessionId, 'go');
  return sessionId;
}

test('a server of the editor has its tools in that session, and each call is asked about [acp.servers]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene, {answer: () => 'yes'});
  const sessionId = await ask(editor, scene, [server('given')]);
  expect(offered(scene)).toContain('mcp_given_echo');
  expect(editor.asked).toHaveLength(1);
  expect(editor.asked[0]).toMatchObject({sessionId, toolCall: {name: 'mcp_given_echo'}});
  expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).toContain('hello');
  const other = await editor.open();
  scene.model.script([say('ok')]);
  await editor.prompt(other.sessionId, 'go');
  expect(offered(scene)).not.toContain('mcp_given_echo');
});

test.each([
  {title: 'the person excludes', settings: {mcp: {excluded: ['given']}}},
  {title: 'the person does not list', settings: {mcp: {allowed: ['another']}}},
])('a server that $title does not count [acp.servers]', async ({settings}) => {
  await using scene = await createScene({'home/.gemini/settings.json': JSON.stringify(settings)});
  await using editor = await connect(scene, {answer: () => 'yes'});
  await ask(editor, scene, [server('given')]);
  expect(offered(scene)).not.toContain('mcp_given_echo');
});

test('a server of the person keeps its name: the editor cannot make it another program [acp.servers]', async () => {
  const own = {mcpServers: {given: {command: process.execPath, args: [script, 'notes=<own>']}}};
  await using scene = await createScene();
  const notes = join(scene.home, 'notes');
  const settings = JSON.stringify(own).replace('<own>', notes);
  await using again = await createScene({'home/.gemini/settings.json': settings});
  await using editor = await connect(again, {answer: () => 'yes'});
  const theirs = join(again.home, 'theirs');
  await ask(editor, again, [server('given', `notes=${theirs}`)]);
  expect(await readFile(notes, 'utf8')).toMatch(/^start \d+/);
  await expect(readFile(theirs)).rejects.toThrow('ENOENT');
});

test('in a folder that is not trusted, servers of the editor do not count [acp.servers] [acp.trust]', async () => {
  await using scene = await createScene(folderTrust);
  await using editor = await connect(scene, {answer: () => 'yes', variables: untrusted});
  const notes = join(scene.home, 'notes');
  await ask(editor, scene, [server('given', `notes=${notes}`)]);
  expect(offered(scene)).not.toContain('mcp_given_echo');
  await expect(readFile(notes)).rejects.toThrow('ENOENT');
  expect(editor.started.log()).toContain('is not trusted');
});

const forms: readonly {
  readonly title: string;
  readonly fill: NonNullable<Person['fill']>;
  readonly counts: boolean;
  readonly kept: string | undefined;
}[] = [
  {
    title: 'yes',
    fill: () => ({action: 'accept', content: {trust: 'yes'}}),
    counts: true,
    kept: 'TRUST_FOLDER',
  },
  {title: 'no', fill: () => ({action: 'accept', content: {trust: 'no'}}), counts: false, kept: 'DO_NOT_TRUST'},
  {title: 'a closed form', fill: () => ({action: 'cancel'}), counts: false, kept: undefined},
  {
    title: 'a level that was not offered',
    fill: () => ({action: 'accept', content: {trust: 'everything'}}),
    counts: false,
    kept: undefined,
  },
];

test.each(forms)('trust is asked before the session begins: $title [acp.trust]', async ({fill, counts, kept}) => {
  await using scene = await createScene({
    ...folderTrust,
    'project/.gemini/commands/own.toml': 'prompt = "Own"\n',
  });
  const asked: CreateElicitationRequest[] = [];
  await using editor = await connect(scene, {
    fill: (request) => {
      asked.push(request);
      return fill(request);
    },
    variables: untrusted,
  });
  const {sessionId} = await editor.open({mcpServers: [server('given')]});
  expect(asked).toEqual([expect.objectContaining({message: expect.stringContaining(scene.project)})]);
  const {availableCommands} = await editor.seen(sessionId, 'available_commands_update');
  expect(availableCommands.some(({name}) => name === 'own')).toBe(counts);
  const file = await readFile(join(scene.home, '.gemini/trustedFolders.json'), 'utf8').catch(() => '{}');
  expect((JSON.parse(file) as Record<string, unknown>)[scene.project]).toBe(kept);
});

test('variables and headers of servers are not in the settings of the session [acp.servers]', async () => {
  await using scene = await createScene();
  await using editor = await connect(scene);
  const given = {...server('given'), env: [{name: 'TOKEN', value: 'very-secret'}]};
  const {sessionId} = await editor.open({mcpServers: [given]});
  await editor.prompt(sessionId, '/settings list');
  await editor.prompt(sessionId, '/mcp list');
  expect(editor.text(sessionId)).toContain('given');
  expect(editor.text(sessionId)).not.toContain('very-secret');
});
