import {spawn} from 'node:child_process';
import {createSocket} from 'node:dgram';
import {once} from 'node:events';
import {mkdirSync, openSync, closeSync, symlinkSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {createServer as createTcp, type Server} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {allHoles, holesCode} from './holes.js';
import {openIsolated, testIsolated} from './open-isolated.js';

const CANARY = 'CANARY-gemini-leak';

interface Tried {
  readonly got?: string;
  readonly fault?: string;
}

async function serve(server: Server, to: object): Promise<Server> {
  server.listen(to);
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as {readonly port: number}).port;

/** Tries all of them from a plugin that declares nothing; gives what each gave, and what became of the others. */
async function tryAll(isolation: 'required' | 'off', only?: readonly string[]) {
  await using folder = await makeFolder();
  const plugin = await makePlugin(folder.path, {
    name: 'gemini-plugin-guest',
    origin: 'user',
    tools: [
      {
        ...{name: 'guest_holes', description: 'x', effect: 'read', annotations: {}},
        ...{input: {type: 'object'}, module: 'dist/holes.js'},
      },
    ],
    files: {'dist/holes.js': holesCode},
  });
  await using kernel = await openIsolated({
    plugins: [plugin],
    files: {'secret.txt': CANARY, 'module.cjs': `module.exports = '${CANARY}';`},
    homeFiles: {'.gemini/settings.json': JSON.stringify({security: {pluginIsolation: isolation}})},
    variables: {GEMINI_TEST_TOKEN: CANARY},
  });
  const {project, home} = kernel;
  const own = join(home, '.gemini', 'plugin-data', 'gemini-plugin-guest');
  mkdirSync(own, {recursive: true});
  symlinkSync(join(project, 'secret.txt'), join(own, 'link'));
  symlinkSync(project, join(own, 'folder-link'));
  writeFileSync(join(project, 'native.node'), '');
  const fd = openSync(join(project, 'secret.txt'), 'r');
  const bystander = spawn('/bin/sh', ['-c', 'sleep 60'], {stdio: 'ignore', env: {SECRET: CANARY}});
  const tcp = await serve(
    createTcp((socket) => socket.destroy()),
    {port: 0, host: '127.0.0.1'},
  );
  const port = portOf(tcp);
  const servers = [
    tcp,
    await serve(
      createServer((_, reply) => reply.end(CANARY)),
      {port: 0, host: '127.0.0.1'},
    ),
  ];
  servers.push(await serve(createTcp(), {path: `${folder.path}/socket`}));
  servers.push(await serve(createTcp(), {path: `\0gemini-leak-${port}`}));
  const udp = createSocket('udp4', (_, from) => udp.send(CANARY, from.port, from.address));
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  try {
    const outcome = await kernel.call('guest_holes', {
      ...{secret: join(project, 'secret.txt'), project, own, module: join(project, 'module.cjs')},
      ...{database: join(project, 'base.sqlite'), code: join(plugin.root, 'dist', 'holes.js')},
      kernel: join(plugin.root, 'node_modules', '@gemini-kernel', 'kernel', 'package.json'),
      ...{native: join(project, 'native.node'), bystander: bystander.pid, port, socket: `${folder.path}/socket`},
      ...{udp: udp.address().port, http: portOf(servers[1] as Server), only},
    });
    expect(outcome).toMatchObject({status: 'done'});
    const {result} = outcome as unknown as {readonly result: {readonly data: Readonly<Record<string, Tried>>}};
    return {tried: result.data, isAlive: bystander.exitCode === null && bystander.signalCode === null};
  } finally {
    closeSync(fd);
    bystander.kill('SIGKILL');
    udp.close();
    for (const server of servers) server.close();
  }
}

/** The names of those that succeeded. */
function through(tried: Readonly<Record<string, Tried>>): readonly string[] {
  return Object.entries(tried).flatMap(([id, {got = ''}]) => (got === '' || got === 'false' ? [] : [`${id}: ${got}`]));
}

test('what is tried succeeds in the process of gemini [isolation.holes]', async () => {
  const harmless = allHoles.map(({id}) => id).filter((id) => /^(?:read|net)\.|^write.path|^run.program/.test(id));
  // Not what this process or this machine may lack, and what leaves something open.
  const odd = ['read.environment', 'read.descriptors', 'read.sqlite', 'read.handle', 'read.opendir'];
  const only = harmless.filter((id) => ![...odd, 'net.name', 'net.tcp6'].includes(id));
  const {tried} = await tryAll('off', only);
  expect(only.filter((id) => !through(tried).some((one) => one.startsWith(`${id}: `)))).toEqual([]);
}, 20_000);

testIsolated('a plugin that declares nothing gets through no hole of Node [isolation.holes]', async () => {
  const {tried, isAlive} = await tryAll('required');
  expect(allHoles.length).toBeGreaterThanOrEqual(31);
  expect(Object.keys(tried)).toHaveLength(allHoles.length);
  expect(through(tried)).toEqual([]);
  expect(isAlive).toBe(true);
});
