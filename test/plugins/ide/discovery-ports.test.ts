import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {createServer, type AddressInfo} from 'node:net';
import {createInterface} from 'node:readline';
import {expect, test} from '@jest/globals';
import {DEAD, openDiscoveryPlace} from './discovery-place.js';
import {createDirectFetch} from '#plugins/ide/dist/connection/direct-fetch.js';
import {ownerOfPort} from '#plugins/ide/dist/discovery/owner-of-port.js';

const isLinux = process.platform === 'linux';
const canBeAnother = isLinux && process.getuid?.() === 0;
const STRANGER = 65_534;

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode';
const row = (local: string, state: string, user: number): string =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  ${user}        0 142 1 ` +
  '00000000f7f5da9f 100 0 0 10 0';
/** The tables of a system on which these are there. */
const tables =
  (four: readonly string[], six: readonly string[] = []) =>
  (path: string): string =>
    `${[HEAD, ...(path.endsWith('6') ? six : four)].join('\n')}\n`;
const ANY_SIX = '00000000000000000000000000000000';
const MAPPED = '0000000000000000FFFF00000100007F';

test('who listens on a port is read from the tables of Linux, by what takes a connection to 127.0.0.1', () => {
  // 40001 is 9C41.
  const cases: readonly (readonly [readonly string[], readonly string[], number | undefined])[] = [
    [[row('0100007F:9C41', '0A', 1000)], [], 1000],
    [[row('7F000001:9C41', '0A', 1000)], [], 1000],
    [[row('00000000:9C41', '0A', 1001)], [], 1001],
    [[row('00000000:9C41', '0A', 1001), row('0100007F:9C41', '0A', 1000)], [row(`${ANY_SIX}:9C41`, '0A', 1002)], 1000],
    [[], [row(`${ANY_SIX}:9C41`, '0A', 1002), row(`${MAPPED}:9C41`, '0A', 1003)], 1003],
    [[], [row(`${ANY_SIX}:9C41`, '0A', 1002)], 1002],
    // Another port, a connection without a listener, another address, and invalid lines.
    [
      [
        row('0100007F:9C42', '0A', 1000),
        row('0100007F:9C41', '01', 1000),
        row('0200007F:9C41', '0A', 1000),
        row('0100000A:9C41', '0A', 1000),
        '',
        'x',
        '0: 0100007F:9C41 0 0A',
      ],
      [],
      undefined,
    ],
  ];
  expect(cases.map(([four, six]) => ownerOfPort(40_001, tables(four, six)))).toEqual(cases.map(([, , user]) => user));
  expect(ownerOfPort(40_001, () => '')).toBeUndefined();
});

test('the owner of a port of this machine is found, and no owner without a listener', async () => {
  if (!isLinux) return;
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = createServer().listen(0, host);
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    expect(ownerOfPort(port)).toBe(process.getuid?.());
    server.close();
    await once(server, 'close');
    expect(ownerOfPort(port)).toBeUndefined();
  }
});

test(
  'a port that belongs to another user is not asked, whether variables or the file of an editor name it, and ' +
    'whether that lives or has ended [ide.port-owner]',
  async () => {
    if (!canBeAnother) return;
    await using place = await openDiscoveryPlace();
    await using thief = await startAs(STRANGER);
    const {port} = thief;
    expect(ownerOfPort(port)).toBe(STRANGER);
    const variables = {
      GEMINI_CLI_IDE_SERVER_PORT: String(port),
      GEMINI_CLI_IDE_WORKSPACE_PATH: place.project,
      GEMINI_CLI_IDE_AUTH_TOKEN: 'secret',
      TERM_PROGRAM: 'sublime',
    };
    const fault = (editor: string): object => ({
      reason: 'port-refused',
      message: `Not connecting to ${editor}: port ${port} belongs to another user (${STRANGER}).`,
      hint: expect.stringContaining('open a new terminal'),
    });
    expect(await place.discover(variables)).toMatchObject({
      candidates: [],
      others: [{editor: {source: 'variables'}, fault: fault('Sublime Text')}],
      fault: fault('Sublime Text'),
    });
    await place.write(`${DEAD}-${port}`, {authToken: 'secret'});
    expect(await place.discover(variables)).toMatchObject({
      candidates: [],
      others: [{editor: {source: 'file', isAlive: false}, fault: fault(`Editor ${DEAD}-${port}`)}],
    });
    await place.write(`${process.pid}-${port}`);
    expect(await place.discover()).toMatchObject({
      candidates: [],
      others: [{editor: {isAlive: true}, fault: fault(`Editor ${process.pid}-${port}`)}],
    });
  },
);

test(
  'not a byte is sent over a socket that leads to another user, also when the port changed hands after the look ' +
    '[ide.port-owner]',
  async () => {
    const got: string[] = [];
    const server = createServer((socket) => socket.on('data', (bytes) => got.push(String(bytes)))).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const {port} = server.address() as AddressInfo;
    const closed = new Promise((resolve) => server.once('connection', (socket) => socket.once('close', resolve)));
    const {fetch, close} = createDirectFetch({
      onStreamEnd: () => undefined,
      onFlood: () => undefined,
      findFault: () => new Error('It belongs to another user.'),
    });
    await expect(
      fetch(`http://127.0.0.1:${port}/mcp`, {method: 'POST', body: '{}', headers: {Authorization: 'Bearer secret'}}),
    ).rejects.toThrow('It belongs to another user.');
    await closed;
    close();
    server.close();
    expect(got).toEqual([]);
  },
);

/** A program of another user that listens. */
async function startAs(user: number): Promise<{readonly port: number; [Symbol.asyncDispose](): Promise<void>}> {
  const program =
    'const s = require("node:net").createServer().listen(0, "127.0.0.1", () => console.log(s.address().port))';
  const child = spawn(
    'setpriv',
    [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', process.execPath, '-e', program],
    {cwd: '/', stdio: ['ignore', 'pipe', 'inherit']},
  );
  const [line] = (await once(createInterface({input: child.stdout}), 'line')) as [string];
  return {
    port: Number(line),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
