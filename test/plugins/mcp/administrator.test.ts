import {expect, test} from '@jest/globals';
import {readServers} from '#plugins/mcp/dist/config/read-servers.js';

type Layers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Settings that have these values, by key and then by layer, weakest first. */
function settingsOf(values: Layers): Parameters<typeof readServers>[0] {
  const layersOf = (key: string): {layer: never; value: unknown; managed?: true}[] =>
    Object.entries(values[key] ?? {}).map(([layer, value]) => ({
      layer: layer as never,
      value,
      ...(layer === 'system' ? {managed: true as const} : {}),
    }));
  return {
    get: (key) => Promise.resolve(layersOf(key).at(-1)?.value),
    explain: (key) =>
      Promise.resolve({
        key,
        value: layersOf(key).at(-1)?.value,
        layers: layersOf(key),
        winner: undefined,
        merge: 'shallow',
      }),
  };
}

async function read(values: Layers): Promise<unknown> {
  const servers = await readServers(settingsOf(values), () => undefined);
  return servers.map(({name, leftOut, config}) => {
    const where = config?.way.kind === 'stdio' ? config.way.command : config?.way.url;
    return leftOut ? `${name}: ${leftOut.reason}` : `${name} ${where}${config?.isTrusted ? ' trusted' : ''}`;
  });
}

const two = {user: {a: {command: 'a'}, b: {command: 'b', trust: true}}};

test('an administrator forbids all servers [mcp.admin]', async () => {
  expect(await read({mcpServers: two, 'admin.mcp.enabled': {system: false}})).toEqual(['a: admin', 'b: admin']);
});

test('an administrator lists the only servers, each at the address of the list, never as a program [mcp.admin]', async () => {
  const config = {b: {url: 'https://corp.example/mcp', type: 'http', trust: false}};
  expect(await read({mcpServers: two, 'admin.mcp.config': {system: config}})).toEqual([
    'a: admin',
    'b https://corp.example/mcp',
  ]);
});

test('a server that an administrator requires is used, whatever lists, flags and people say [mcp.admin]', async () => {
  const required = {b: {url: 'https://corp.example/mcp'}};
  const values = {
    mcpServers: two,
    'mcp.allowed': {flag: ['a']},
    'mcp.excluded': {user: ['b']},
    'admin.mcp.requiredConfig': {system: required},
  };
  expect(await read(values)).toEqual(['a a', 'b https://corp.example/mcp trusted']);
});

test('a flag does not outrank the lists of an administrator [mcp.admin]', async () => {
  expect(await read({mcpServers: two, 'mcp.allowed': {system: ['a'], flag: ['a', 'b']}})).toEqual([
    'a a',
    'b: not-allowed',
  ]);
  expect(await read({mcpServers: two, 'mcp.excluded': {system: ['b']}, 'mcp.allowed': {flag: ['a', 'b']}})).toEqual([
    'a a',
    'b: excluded',
  ]);
});

test('every layer that allows servers must name one; the strongest layer has its entry [mcp.select]', async () => {
  const servers = {user: {a: {command: 'a'}, b: {command: 'b'}}, workspace: {a: {command: 'mine'}}};
  const allowed = {user: ['a', 'b'], workspace: ['A']};
  expect(await read({mcpServers: servers, 'mcp.allowed': allowed})).toEqual(['a mine', 'b: not-allowed']);
});

test('mcp.serverCommand is a server with the words of a shell [mcp.select]', async () => {
  const settings = settingsOf({'mcp.serverCommand': {user: `"my server" --name 'a b' c\\ d ""`}});
  const [server] = await readServers(settings, () => undefined);
  expect(server?.config?.way).toMatchObject({command: 'my server', args: ['--name', 'a b', 'c d', '']});
});

test('what a bundle enforces is the server of that name, and with a list the only one [mcp.admin]', async () => {
  const enforced = {b: {command: 'npx', args: ['-y', '@corp/server@1.2.3']}};
  const values = {
    mcpServers: {user: {...two.user, c: {command: 'c'}}, workspace: {b: {command: 'evil'}}, enforced},
    'mcp.allowed': {user: ['a', 'b', 'c'], enforced: ['b']},
  };
  expect(await read(values)).toEqual(['a: not-allowed', 'b npx', 'c: not-allowed']);
});
