import {expect, test} from '@jest/globals';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {createServer} from 'node:net';
import {createServer as createHttpServer} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import type {AddressInfo, Server, Socket} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {checkout} from '../../helpers/plugin-root.js';
import {startProxy} from '../../helpers/proxy-server.js';

const BASIC = `Basic ${Buffer.from('me:s e').toString('base64')}`;

/** What requests of a process of its own come to. */
function fetchAll(variables: Readonly<Record<string, string>>, urls: readonly string[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(checkout, 'test', 'dist', 'helpers', 'run-network.js'), JSON.stringify({variables, urls})],
      {stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000},
    );
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 && err.length === 0
        ? resolve(JSON.parse(Buffer.concat(out).toString()))
        : reject(new Error(`${String(code)}: ${Buffer.concat(err).toString()}`)),
    );
  });
}

async function listening(server: Server): Promise<{readonly port: number; [Symbol.asyncDispose](): Promise<void>}> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

const echo = (): Promise<Awaited<ReturnType<typeof listening>>> =>
  listening(
    createHttpServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () =>
        response.end(`${request.method ?? ''} ${request.headers.host ?? ''}${request.url ?? ''} ${body}`),
      );
    }),
  );

test('plain addresses are asked of the proxy, which gets the credentials; excepted hosts and this machine are not', async () => {
  await using target = await echo();
  await using proxy = await startProxy(target.port);
  const variables = {http_proxy: `http://me:s%20e@127.0.0.1:${proxy.port}`, NO_PROXY: 'excepted.invalid'};
  const found = await fetchAll(variables, [
    'http://model.test/v1?x=1',
    'http://model.test:81/',
    `http://127.0.0.1:${target.port}/direct`,
    'http://excepted.invalid/',
  ]);
  const shown = `http://***@127.0.0.1:${proxy.port}`;
  expect(found).toEqual({
    outcomes: [
      {status: 200, text: 'POST model.test/v1?x=1 ping'},
      {status: 200, text: 'POST model.test:81/ ping'},
      {status: 200, text: `POST 127.0.0.1:${target.port}/direct ping`},
      expect.objectContaining({
        message: expect.stringMatching(/^The connection to excepted.invalid failed: getaddrinfo /),
      }),
    ],
    proxies: [shown, shown, null, null],
  });
  expect(proxy.seen).toEqual([
    {line: 'POST http://model.test/v1?x=1', authorization: BASIC},
    {line: 'POST http://model.test:81/', authorization: BASIC},
  ]);
});

test('secure addresses go through a tunnel, in which the proxy sees nothing but the name [network.proxies]', async () => {
  const first: Buffer[] = [];
  await using target = await listening(
    createServer((socket) => socket.once('data', (chunk) => void (first.push(chunk), socket.destroy()))),
  );
  await using proxy = await startProxy(target.port);
  const {outcomes} = (await fetchAll({HTTPS_PROXY: `127.0.0.1:${proxy.port}`}, ['https://model.test/v1'])) as {
    outcomes: unknown;
  };
  expect(proxy.seen).toEqual([{line: 'CONNECT model.test:443'}]);
  // A handshake of TLS, for the host that was meant.
  expect([first[0]?.[0], first[0]?.includes('model.test')]).toEqual([0x16, true]);
  expect(outcomes).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(
        `^The connection to model.test through the proxy http://127.0.0.1:${proxy.port} \\(HTTPS_PROXY\\) failed: `,
      ),
    }),
  ]);
});

test.each([403, 407])(
  'a proxy that refuses with %d is reported as such, and the process ends without an error',
  async (status) => {
    await using target = await echo();
    await using proxy = await startProxy(target.port);
    proxy.refuse(status);
    const variables = {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, HTTP_PROXY: `http://127.0.0.1:${proxy.port}`};
    const {outcomes} = (await fetchAll(variables, ['https://model.test/'])) as {outcomes: unknown};
    expect(outcomes).toEqual([
      {
        message:
          `The connection to model.test through the proxy http://127.0.0.1:${proxy.port} (HTTPS_PROXY) failed: Proxy ` +
          `response (${status}) !== 200 when HTTP Tunneling.`,
        hint: 'Check HTTPS_PROXY. Hosts in NO_PROXY bypass the proxy.',
      },
    ]);
  },
);

test('a proxy that is not there is reported as such', async () => {
  await using target = await echo();
  const {port, [Symbol.asyncDispose]: close} = await startProxy(target.port);
  await close();
  const {outcomes} = (await fetchAll({HTTP_PROXY: `http://127.0.0.1:${port}`}, ['http://model.test/'])) as {
    outcomes: unknown;
  };
  expect(outcomes).toEqual([
    {
      message:
        `The connection to model.test through the proxy http://127.0.0.1:${port} (HTTP_PROXY) failed: connect ` +
        `ECONNREFUSED 127.0.0.1:${port}.`,
      hint: 'Check HTTP_PROXY. Hosts in NO_PROXY bypass the proxy.',
      isFinal: true,
    },
  ]);
});

test('an untrusted certificate is final [network.certificate]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gemini-tls-'));
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const made = spawnSync('openssl', [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      key,
      '-out',
      cert,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
    ]);
    expect(made.status).toBe(0);
    await using secure = await listening(createHttpsServer({key: await readFile(key), cert: await readFile(cert)}));
    const {outcomes} = (await fetchAll({}, [`https://127.0.0.1:${secure.port}/`])) as {outcomes: unknown};
    expect(outcomes).toEqual([
      {
        message: expect.stringMatching(/self.signed certificate/),
        hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
        isFinal: true,
      },
    ]);
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
});

test('an address with the wrong one of http and https is reported', async () => {
  await using plain = await echo();
  await using secure = await listening(createHttpsServer());
  await using other = await listening(createServer((socket) => socket.end('220 mail.test ready\r\n')));
  const {outcomes} = (await fetchAll({}, [
    `https://127.0.0.1:${plain.port}/`,
    `http://127.0.0.1:${secure.port}/`,
    `http://127.0.0.1:${other.port}/`,
  ])) as {outcomes: unknown};
  const https = 'Check the port. If the server speaks https, start its address with https://.';
  expect(outcomes).toEqual([
    {
      message: `The connection to 127.0.0.1:${plain.port} failed: https is not spoken there.`,
      hint: 'Check the port. If the server speaks plain http, start its address with http://.',
      isFinal: true,
    },
    {
      message: expect.stringMatching(
        `^The connection to 127.0.0.1:${secure.port} failed: (other side closed|.*ECONNRESET.*)\\.$`,
      ),
      hint: https,
    },
    {message: expect.stringMatching(`^The connection to 127.0.0.1:${other.port} failed: .*HTTP`), hint: https},
  ]);
});

test.each([
  ['127.0.0.1 without a listener is final', '127.0.0.1', true],
  ['localhost without a listener is final', 'localhost', true],
  ['an unknown name may be known later', 'mail.invalid', undefined],
])('%s', async (_, host, isFinal) => {
  const {port, [Symbol.asyncDispose]: close} = await echo();
  await close();
  const {outcomes} = (await fetchAll({}, [`http://${host}:${port}/`])) as {
    outcomes: readonly {readonly isFinal?: boolean; readonly hint: string}[];
  };
  expect([outcomes[0]?.isFinal, outcomes[0]?.hint.startsWith('Nothing listens there')]).toEqual([
    isFinal,
    isFinal === true,
  ]);
});
