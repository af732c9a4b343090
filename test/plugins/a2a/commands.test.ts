import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {openA2aPlace, type A2aPlace} from './a2a-place.js';

interface Listed {
  readonly name: string;
  readonly subCommands: readonly Listed[];
}

async function execute(place: A2aPlace, token: string, body: unknown): Promise<string> {
  const response = await fetch(`${place.url}/executeCommand`, {
    method: 'POST',
    headers: {authorization: `Bearer ${token}`, 'content-type': 'application/json'},
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
}

test('a caller lists and runs commands that read, in the folder of its token [peer.commands]', async () => {
  await using place = await openA2aPlace([]);
  await writeFile(join(place.project, 'GEMINI.md'), 'Use tabs here.\n');
  await place.run(['trust', 'add']);
  const token = await place.token();
  await place.start();
  const headers = {authorization: `Bearer ${token}`};
  const {commands} = (await (await fetch(`${place.url}/listCommands`, {headers})).json()) as {commands: Listed[]};
  expect(commands.map(({name, subCommands}) => [name, subCommands.map((one) => one.name)])).toEqual([
    ['extensions', ['extensions list']],
    ['memory', ['memory show', 'memory list', 'memory refresh']],
    ['skills', ['skills list']],
  ]);
  expect(commands[0]).toMatchObject({description: expect.any(String), arguments: []});
  expect(await execute(place, token, {command: 'memory show', args: []})).toMatch(
    /^200 \{"name":"memory show","data":".*Use tabs here\./,
  );
  expect(await execute(place, token, {command: 'extensions list'})).toMatch(/^200 \{"name":"extensions list"/);
}, 60_000);

test('no other command runs, and a bad request says why [peer.commands]', async () => {
  await using place = await openA2aPlace([]);
  const token = await place.token();
  await place.start();
  const cases: readonly (readonly [unknown, string])[] = [
    [{command: 'trust add'}, '404 {"error":"Command not found: trust add"}'],
    [{command: 'memory add', args: ['x']}, '404 {"error":"Command not found: memory add"}'],
    [{command: '__proto__'}, '404'],
    [{command: 'memory', args: ['--help']}, '400 {"error":"memory takes no arguments."}'],
    [{command: 'memory', args: 'x'}, '400 {"error":"\\"args\\" field must be an array."}'],
    [{}, '400 {"error":"Invalid \\"command\\" field."}'],
    ['{', '400'],
    ['null', '400'],
    ['[]', '400'],
  ];
  for (const [body, expected] of cases)
    expect([body, await execute(place, token, body)]).toEqual([body, expect.stringContaining(expected)]);
  expect(await execute(place, 'wrong', {command: 'memory'})).toMatch(/^401/);
  expect((await fetch(`${place.url}/listCommands`)).status).toBe(401);
}, 60_000);

test('the variables of Gemini CLI say where to listen, and never without encryption elsewhere [peer.commands]', async () => {
  await using place = await openA2aPlace([]);
  await mkdir(join(place.project, 'sub'));
  const made = await place.run(['a2a', 'token', 'create', 'x', '--json'], {
    variables: {CODER_AGENT_WORKSPACE_PATH: 'sub'},
  });
  expect(JSON.parse(made.stdout)).toMatchObject({directory: expect.stringMatching(/\/sub$/)});
  const serve = async (variables: Record<string, string>): Promise<string> => {
    const {code, stderr} = await place.run(['a2a', 'serve'], {variables});
    return `${code} ${stderr}`;
  };
  expect(await serve({CODER_AGENT_PORT: 'x'})).toMatch(/^42 .*The port must be a number up to 65535, not "x"/);
  expect(await serve({CODER_AGENT_HOST: '0.0.0.0'})).toMatch(/^42 .*without encryption/);
}, 60_000);
