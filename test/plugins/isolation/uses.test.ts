import {createServer} from 'node:http';
import {once} from 'node:events';
import {readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import type {} from '@gemini-kernel/plugin-doctor/contract';
import type {PluginRecord} from '@gemini-kernel/plugin-isolation/contract';
import {KeptRecords} from '#plugins/isolation/dist/uses/kept-records.js';
import {addUse, emptyRecord, mergeRecords} from '#plugins/isolation/dist/uses/use-record.js';
import {readWatched} from '#plugins/isolation/dist/wire/watched.js';
import {makeFolder, makePlugin} from '../../helpers/make-plugin.js';
import {guest, NAME} from './guest.js';
import {openIsolated, testIsolated} from './open-isolated.js';

/** The uses of a record without counts and times, by who saw them. */
function usesOf({uses}: PluginRecord): Record<string, string[]> {
  const group = (outcome: string, seenBy: string): string[] =>
    uses
      .filter((one) => one.outcome === outcome && one.seenBy === seenBy)
      .map(({what}) => what)
      .sort();
  return {
    used: group('used', 'gemini'),
    usedInside: group('used', 'process'),
    refused: group('refused', 'gemini'),
    refusedInside: group('refused', 'process'),
  };
}

const ATTEMPT = `const attempt = async (act) => { try { return await act(); } catch (error) { return error.code ?? error.message; } };`;

testIsolated('what a plugin uses and is refused is kept, by who saw it [isolation.uses]', async () => {
  await using folder = await makeFolder();
  await using outside = await makeFolder();
  writeFileSync(join(outside.path, 'named.txt'), 'named');
  const server = createServer((_, reply) => void reply.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const {port} = server.address() as AddressInfo;
  const code = `async run({project, port}, {service, tools}) { ${ATTEMPT}
    const {request} = await import('node:http');
    const {readFile} = await import('node:fs/promises');
    const {createConnection} = await import('node:net');
    const get = (host) => new Promise((resolve, reject) => {
      const {hostname, port: at} = new URL(process.env.HTTP_PROXY);
      request({host: hostname, port: at, path: 'http://' + host + '/'}, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode));
      }).on('error', reject).end();
    });
    const all = [
      await attempt(() => readFile(project + '/a.txt', 'utf8')),
      await attempt(() => fs.readFileSync(project + '/a.txt', 'utf8')),
      await attempt(() => readFile(${JSON.stringify(`${outside.path}/named.txt`)}, 'utf8')),
      await attempt(() => readFile('/etc/passwd')),
      await attempt(() => new Promise((resolve) => fs.readFile('/etc/shadow', resolve))).then((error) => error.code),
      await attempt(() => fs.writeFileSync(project + '/b.txt', '')),
      await attempt(() => String(child.execFileSync('/bin/true'))),
      await attempt(() => get('127.0.0.1:' + port)), await attempt(() => get('other.example')),
      await attempt(() => new Promise((_, reject) => createConnection(9, '192.0.2.1').on('error', reject))),
      process.env.GUEST_GIVEN, (await (await service('workspace')).roots()).length,
    ];
    return {model: all.join(' ')};
  }`;
  const capabilities = ['fs:read', `fs:read:${outside.path}`, `net:127.0.0.1:${port}`, 'env:GUEST_GIVEN', 'model'];
  const requires = {services: {workspace: '^1'}};
  const plugin = await makePlugin(folder.path, guest({guest_uses: code}, {capabilities, requires}));
  const kernel = await openIsolated({
    plugins: [plugin],
    files: {'a.txt': 'hello'},
    variables: {GUEST_GIVEN: 'given', GUEST_HIDDEN: 'x'},
  });
  try {
    const outcome = await kernel.call('guest_uses', {project: kernel.project, port});
    expect(outcome).toMatchObject({
      status: 'done',
      result: {
        model:
          'hello hello named ERR_ACCESS_DENIED ERR_ACCESS_DENIED EROFS ERR_ACCESS_DENIED ' +
          '200 403 ENETUNREACH given 1',
      },
    });
    const isolation = await kernel.service('isolation');
    const [record] = await isolation.records(NAME);
    expect(record).toMatchObject({plugin: NAME, version: '1.0.0', starts: 1, deaths: 0, dropped: 0});
    expect(usesOf(record as PluginRecord)).toEqual({
      used: [`net:127.0.0.1:${port}`, 'service:workspace'],
      usedInside: ['env:GUEST_GIVEN', 'fs:read', `fs:read:${outside.path}`],
      refused: ['net:other.example:80'],
      refusedInside: [
        ...['fs:read:/etc/passwd', 'fs:read:/etc/shadow', `fs:write:${kernel.project}/b.txt`],
        ...['net:192.0.2.1:9', 'process:true'],
      ],
    });
    expect(record?.uses.find(({what}) => what === 'fs:read')).toMatchObject({count: 2});
    const processes = await (await kernel.service('processes:isolation')).list();
    const memory = expect.any(Number);
    expect(processes).toMatchObject([{plugin: NAME, state: 'running', pid: expect.any(Number), memory, starts: 1}]);
    expect(processes[0]?.memory).toBeGreaterThan(2 ** 20);
    expect(processes[0]?.refused).toContain('fs:read:/etc/passwd');
    // For its owner only, in a file of this plugin.
    const kept = join(kernel.home, '.gemini', 'plugin-uses');
    expect(readdirSync(kept)).toEqual([`${NAME}.json`]);
    expect(statSync(join(kept, `${NAME}.json`)).mode & 0o777).toBe(0o600);
  } finally {
    await kernel.close();
    server.close();
  }
});

testIsolated('a plugin cannot fill what is kept, nor say what only gemini sees [isolation.uses]', async () => {
  await using folder = await makeFolder();
  const code = `async run() { ${ATTEMPT}
    for (let count = 0; count < 500; count += 1)
      await attempt(() => fs.readFileSync('/nowhere-' + count + 'x'.repeat(5000)));
    // It writes frames of its own past the code of gemini.
    const {Socket} = await import('node:net');
    const send = (message) => {
      const text = Buffer.from(JSON.stringify(message));
      const head = Buffer.alloc(4);
      head.writeUInt32BE(text.length);
      fs.writeSync(7, Buffer.concat([head, text]));
    };
    send({id: 900001, method: 'watched', params: [[{what: 'tool:forged', outcome: 'used', count: 1}]]});
    send({id: 900002, method: 'watched', params: [[{what: 'fs:read', outcome: 'used', count: -1}]]});
    return {model: 'tried'};
  }`;
  const plugin = await makePlugin(folder.path, guest({guest_flood: code}));
  await using kernel = await openIsolated({plugins: [plugin]});
  expect(await kernel.call('guest_flood', {})).toMatchObject({status: 'done'});
  await (await kernel.service('isolation')).records();
  const text = readFileSync(join(kernel.home, '.gemini', 'plugin-uses', `${NAME}.json`), 'utf8');
  const {uses} = JSON.parse(text) as PluginRecord;
  expect(uses.filter(({what}) => what.startsWith('tool:'))).toEqual([]);
  expect(uses.length).toBeLessThanOrEqual(50);
  expect(text.length).toBeLessThan(64_000);
});

test('what is seen of one kind does not push out another, and a new version begins again [isolation.uses]', () => {
  let record = emptyRecord(NAME, '1.0.0', 1);
  for (let count = 0; count < 200; count += 1)
    record = addUse(record, {what: `fs:read:/${count}`, outcome: 'refused', seenBy: 'process'}, 2);
  record = addUse(record, {what: 'net:a.example:443', outcome: 'refused', seenBy: 'gemini'}, 3);
  expect([record.uses.length, record.dropped]).toEqual([51, 150]);
  const twice = mergeRecords(record, {...record, starts: 1, lastDeath: 'it exited with 1'});
  expect(twice).toMatchObject({starts: 1, lastDeath: 'it exited with 1', dropped: 300});
  expect(twice.uses.at(-1)).toMatchObject({what: 'net:a.example:443', count: 2, first: 3});
  expect(mergeRecords(twice, emptyRecord(NAME, '2.0.0', 9))).toEqual(emptyRecord(NAME, '2.0.0', 9));
});

test('records of two runs add up, and a damaged file begins again [isolation.uses]', async () => {
  await using home = await makeFolder();
  const kept = new KeptRecords(home.path);
  const used = {what: 'fs:read', outcome: 'used', seenBy: 'process'} as const;
  const change = addUse({...emptyRecord('@a/b', '1.0.0', 5), calls: 2}, used, 6);
  await Promise.all([kept.add(change), new KeptRecords(home.path).add(change)]);
  expect(await kept.read()).toMatchObject([{plugin: '@a/b', calls: 4, uses: [{what: 'fs:read', count: 2}]}]);
  expect(await kept.read('@a/c')).toEqual([]);
  const file = join(home.path, '.gemini', 'plugin-uses', '%40a%2Fb.json');
  for (const damaged of ['{"plugin": "@a/b"', '{"plugin": "@a/b", "uses": [7]}', '[]', '']) {
    writeFileSync(file, damaged);
    expect(await kept.read()).toEqual([]);
  }
  await kept.add(change);
  expect(await kept.read('@a/b')).toMatchObject([{calls: 2}]);
});

test('a report of another form is not taken [isolation.uses]', () => {
  const one = {what: 'fs:read', outcome: 'used', count: 1};
  expect(readWatched([one])).toEqual([one]);
  const wrong = [{what: 'service:agent'}, {what: 7}, {outcome: 'seen'}, {count: 0}, {count: 1.5}, {count: 1e9}];
  for (const value of [undefined, {}, Array(201).fill(one), ...wrong.map((part) => [{...one, ...part}])])
    expect(() => readWatched(value)).toThrow('no known form');
});
