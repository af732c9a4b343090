import {once} from 'node:events';
import {existsSync, readFileSync, realpathSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from '@jest/globals';
import {ProcessGroups} from '@gemini-kernel/processes';
import {PluginProcess} from '#plugins/isolation/dist/host/plugin-process.js';
import {greetingFor} from '#plugins/isolation/dist/host/read-tree.js';
import {readGrants} from '#plugins/isolation/dist/host/read-grants.js';
import {startProgram} from '#plugins/isolation/dist/host/start-program.js';
import {listenerCode, makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {onPosix} from '../../helpers/where.js';
import {guest, NAME, type Done} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

const ATTEMPT = 'const attempt = async (act) => { try { return await act(); } catch (error) { return error.code; } };';

async function serve(text: string): Promise<Server> {
  const server = createServer((_, reply) => reply.end(text)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as {readonly port: number}).port;

testIsolated(
  'a plugin reaches the host and the variable that it declares, and writes where it may [isolation.declared]',
  async () => {
    await using folder = await makeFolder();
    const [named, other] = [await serve('named'), await serve('other')];
    // Node 20 has no proxy for its own requests: what leads out is asked by hand.
    const code = `async run({project, ports}) { ${ATTEMPT}
    const {request} = await import('node:http');
    const get = (port) => new Promise((resolve, reject) => {
      const {hostname, port: at} = new URL(process.env.HTTP_PROXY);
      request({host: hostname, port: at, path: 'http://127.0.0.1:' + port + '/'}, async (reply) => {
        resolve(reply.statusCode === 200 ? String((await reply.toArray())[0]) : 'refused');
      }).on('error', reject).end();
    });
    return {model: 'tried', data: {
      named: await attempt(() => get(ports[0])), other: await attempt(() => get(ports[1])),
      given: process.env.GUEST_GIVEN, hidden: process.env.GUEST_HIDDEN ?? 'hidden',
      written: await attempt(() => fs.writeFileSync(project + '/made', 'made') ?? 'written'),
      secret: await attempt(() => fs.readFileSync(project + '/.env', 'utf8')),
      hook: await attempt(() => fs.writeFileSync(project + '/.git/hooks/pre-commit', '') ?? 'written'),
      // Beside the workspace is memory of its own.
      outside: await attempt(() => fs.writeFileSync(project + '/../beside', '') ?? 'written'),
    }};
  }`;
    const capabilities = [`net:127.0.0.1:${portOf(named)}`, 'env:GUEST_GIVEN', 'fs:write'];
    const plugin = await makePlugin(folder.path, guest({guest_reach: code}, {capabilities}));
    await using kernel = await openIsolated({
      plugins: [plugin],
      files: {'.env': 'SECRET=1', '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': '', '.git/hooks/sample': ''},
      variables: {GUEST_GIVEN: 'given', GUEST_HIDDEN: 'x'},
    });
    try {
      const input = {project: kernel.project, ports: [portOf(named), portOf(other)]};
      const {result} = (await kernel.call('guest_reach', input)) as Done;
      expect(result.data).toMatchObject({named: 'named', other: 'refused', given: 'given', hidden: 'hidden'});
      expect(result.data).toMatchObject({written: 'written', secret: ''});
      expect(result.data['hook']).not.toBe('written');
      expect(readFileSync(join(kernel.project, 'made'), 'utf8')).toBe('made');
      expect(existsSync(join(kernel.project, '..', 'beside'))).toBe(false);
    } finally {
      named.close();
      other.close();
    }
  },
);

testIsolated('listeners of an isolated plugin change an input and act around a call [isolation.hooks]', async () => {
  await using folder = await makeFolder();
  const files = {
    'dist/input.js': listenerCode('tool:input', 'return {...payload.value, word: payload.value.word + "!"};'),
    'dist/around.js': listenerCode(
      'tool:run',
      'const result = await context.next(); return {...result, model: "(" + result.model + ")"};',
    ),
  };
  const listeners = [
    {hook: 'tool:input', module: 'dist/input.js'},
    {hook: 'tool:run', module: 'dist/around.js'},
  ];
  const tools = {guest_word: 'run: async ({word}) => ({model: word})'};
  const plugin = await makePlugin(folder.path, guest(tools, {listeners, files}));
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_word', {word: 'a'})).toMatchObject({status: 'done', result: {model: '(a!)'}});
});

testIsolated(
  'where nothing confines it, Node is its only guard, and a line says so [isolation.preferred]',
  async () => {
    await using folder = await makeFolder();
    const code = `async run({project}) { ${ATTEMPT}
    return {model: String(process.pid), data: {
      project: await attempt(() => fs.readdirSync(project)), token: process.env.GUEST_TOKEN ?? 'hidden',
      program: await attempt(() => String(child.execFileSync('/bin/true'))),
    }};
  }`;
    const plugin = await makePlugin(folder.path, guest({guest_reach: code}));
    await using kernel = await openIsolated({
      plugins: [plugin],
      homeFiles: {'.gemini/settings.json': '{"security": {"pluginIsolation": "preferred"}}'},
      variables: {SANDBOX: 'other', GUEST_TOKEN: 'x'},
    });
    const {result} = (await kernel.call('guest_reach', {project: kernel.project})) as Done;
    expect(result.model).not.toBe(String(process.pid));
    expect(result.data).toEqual({project: 'ERR_ACCESS_DENIED', token: 'hidden', program: 'ERR_ACCESS_DENIED'});
    expect(kernel.notices.map(({code: one}) => one)).toContain('PLUGINS_HALF_ISOLATED');
  },
);

onPosix(
  'a process that has nothing to do is stopped, which is no death, and starts again [isolation.idle]',
  async () => {
    await using folder = await makeFolder();
    const plugin = await makePlugin(folder.path, guest({guest_any: `run: async () => ({model: 'ran'})`}));
    const {root} = plugin;
    const groups = new ProcessGroups(process.platform);
    const data = join(folder.path, 'data');
    const grants = readGrants([], {home: folder.path, variables: {}});
    const guestProcess = new PluginProcess({
      ...{plugin: NAME, key: NAME, idleMs: 100},
      kill: (child) => groups.signal(child, 'SIGKILL'),
      greeting: () => greetingFor({plugin} as unknown as Parameters<typeof greetingFor>[0]),
      start: (signal) =>
        startProgram({...{plugin: NAME, root, data, grants, roots: [], sandbox: undefined}, signal, groups}),
    });
    try {
      for (const start of [1, 2]) {
        expect(await guestProcess.request('ping', [])).toBe(true);
        expect(guestProcess.pid).toBeGreaterThan(0);
        for (let tries = 0; tries < 100 && guestProcess.pid !== undefined; tries += 1) await pause(20);
        expect({pid: guestProcess.pid, starts: guestProcess.starts}).toEqual({pid: undefined, starts: start});
      }
      expect([guestProcess.deaths.count, guestProcess.deaths.last]).toEqual([0, undefined]);
    } finally {
      guestProcess.close();
      groups.close();
    }
  },
);

test('what cannot be held by a mount grants nothing [isolation.declared]', () => {
  const grant = (...capabilities: string[]) =>
    readGrants(capabilities, {home: '/home/me', variables: {A: 'x', B: 'y'}});
  expect(grant('fs:read:/usr/*.txt', 'fs:read:usr', 'fs:read:/usr/../etc')).toMatchObject({
    read: [],
    workspace: 'none',
  });
  expect(grant('fs:read:/usr/**', 'fs:write:/tmp')).toMatchObject({read: ['/usr'], write: ['/tmp'], workspace: 'none'});
  // Neither what gemini obeys, nor a folder around it.
  expect(grant('fs:write:/', 'fs:read:/home').write).toEqual([]);
  const home = realpathSync(tmpdir());
  const own = readGrants([`fs:write:${home}`, 'fs:read:~/.gemini'], {home, variables: {}});
  expect([own.read, own.write]).toEqual([[], []]);
  expect(grant('env:A', 'net:a.example')).toMatchObject({variables: {A: 'x'}, hosts: ['a.example'], process: false});
});
