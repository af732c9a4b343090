import {X509Certificate} from 'node:crypto';
import {afterAll, beforeAll, expect, test} from '@jest/globals';
import {isInDate} from '#plugins/a2a/dist/tokens/certificates.js';
import {says} from '../../helpers/run-agent.js';
import {openA2aPlace, type A2aPlace} from './a2a-place.js';
import {makeAuthority, send, type Authority, type Pair} from './certificates.js';
import {startIssuer} from './issuer.js';

const hello = {jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}};
const NAMES = 'DNS:localhost,DNS:agents.lan,IP:127.0.0.1';

let authority: Authority;
let server: Pair;
let builds: Pair;
let other: Pair;
beforeAll(async () => {
  authority = await makeAuthority();
  server = await authority.make('server', NAMES);
  builds = await authority.make('builds');
  other = await authority.make('other');
});
afterAll(async () => authority[Symbol.asyncDispose]());

const openTls = (...words: readonly string[]): Promise<A2aPlace> =>
  openA2aPlace([says('Hi.')], ['--no-confine', '--tls-cert', server.cert, '--tls-key', server.key, ...words]);

const bearer = (token: string) => ({authorization: `Bearer ${token}`});

test('over TLS, a token is needed as ever, and names of the certificate are names of the server [peer.tls]', async () => {
  await using place = await openTls();
  const token = await place.token();
  await place.start();
  expect(place.url).toMatch(/^https:\/\/localhost:\d+$/);
  const ask = (headers: Record<string, string>) => send(`${place.url}/`, {authority, headers, body: hello});
  expect(await ask(bearer(token))).toMatch(/^200 .*"tasks"/);
  expect(await ask({...bearer(token), host: 'agents.lan:8940'})).toMatch(/^200/);
  expect(await ask({...bearer(token), host: 'evil.example'})).toMatch(/^403/);
  expect(await ask({})).toMatch(/^401/);
  const card = await send(`${place.url}/.well-known/agent-card.json`, {authority});
  expect(card).toContain(`"url":"${place.url}/"`);
  await expect(fetch(place.url.replace('https', 'http'))).rejects.toThrow();
}, 60_000);

test('a client certificate is a login, and no other certificate is [peer.tls]', async () => {
  await using place = await openTls();
  await using issuer = await startIssuer();
  const made = await place.run(['a2a', 'token', 'create', 'builds', '--certificate', builds.cert]);
  expect(made).toMatchObject({code: 0, stdout: expect.stringMatching(/It shows the certificate [0-9a-f]{16}…\./)});
  const login = ['--issuer', issuer.url, '--audience', 'gemini', '--subject', 'builds'];
  await place.run(['a2a', 'token', 'create', 'both', '--certificate', other.cert, ...login]);
  const alone = await authority.make('alone', undefined, true);
  await place.run(['a2a', 'token', 'create', 'alone', '--certificate', alone.cert]);
  await place.start();
  const ask = (own?: Pair, headers: Record<string, string> = {}) =>
    send(`${place.url}/`, {authority, headers, ...(own ? {own} : {}), body: hello});
  expect(await ask(builds)).toMatch(/^200/);
  // Its fingerprint is what counts, not who signed it.
  expect(await ask(alone)).toMatch(/^200/);
  expect(await ask()).toMatch(/^401/);
  // This one needs a token too, and the token needs this one.
  expect(await ask(other)).toMatch(/^401/);
  expect(await ask(other, bearer(await issuer.sign()))).toMatch(/^200/);
  expect(await ask(builds, bearer(await issuer.sign()))).toMatch(/^401/);
  expect(await ask(undefined, bearer(await issuer.sign()))).toMatch(/^401/);
  // A wrong token is not made good by a certificate.
  expect(await ask(builds, bearer('wrong'))).toMatch(/^401/);
  expect(await send(`${place.url}/.well-known/agent-card.json`, {authority})).toContain('mtlsSecurityScheme');
  expect((await place.run(['a2a', 'token', 'list'])).stdout).toMatch(/builds {2}default .* by the certificate/);
}, 60_000);

test('with an authority for clients, no one else connects at all [peer.tls]', async () => {
  await using place = await openTls('--tls-client-ca', authority.ca);
  const token = await place.token();
  const alone = await authority.make('stranger', undefined, true);
  await place.start();
  const ask = (own?: Pair, headers: Record<string, string> = {}) =>
    send(`${place.url}/`, {authority, headers, ...(own ? {own} : {}), body: hello});
  expect(await ask(builds, bearer(token))).toMatch(/^200/);
  expect(await ask(builds)).toMatch(/^401/);
  expect(await ask(undefined, bearer(token))).toMatch(/^refused/);
  expect(await ask(alone, bearer(token))).toMatch(/^refused/);
}, 60_000);

test('a certificate counts in its time only [peer.tls]', () => {
  const certificate = new X509Certificate(builds.text.cert);
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)];
  expect([from - 1, from, to - 1, to].map((now) => isInDate(certificate, now))).toEqual([false, true, true, false]);
});

test('what cannot be served is named [peer.tls]', async () => {
  await using place = await openA2aPlace([]);
  await place.token();
  const serve = async (...words: readonly string[]): Promise<string> => {
    const {code, stderr} = await place.run(['a2a', 'serve', ...words]);
    return `${code} ${stderr}`;
  };
  expect(await serve('--host', '0.0.0.0')).toMatch(/^42 .*without encryption/);
  expect(await serve('--tls-cert', server.cert)).toMatch(/^42 .*belong together/);
  expect(await serve('--tls-cert', 'gone.pem', '--tls-key', server.key)).toMatch(/^42 .*--tls-cert cannot be read/);
  expect(await serve('--tls-cert', server.cert, '--tls-key', other.key)).toMatch(/^42 .*cannot be used with/);
  expect(await serve('--tls-cert', server.key, '--tls-key', server.key)).toMatch(/^42 .*cannot be used with/);
  expect(await serve('--url', 'agents.example')).toMatch(/^42 .*--url does not accept "agents.example"/);
  const admit = async (path: string): Promise<string> => {
    const {code, stderr} = await place.run(['a2a', 'token', 'create', 'x', '--certificate', path]);
    return `${code} ${stderr}`;
  };
  expect(await admit('gone.pem')).toMatch(/^42 .*is no certificate to let an agent in/);
  expect(await admit(builds.key)).toMatch(/^42 .*it has a private key/);
}, 60_000);

test.each(['localhost', '127.0.0.2', '::1', '[::1]'])(
  'the address in the card is where it listens: %s [peer.tls]',
  async (host) => {
    await using place = await openA2aPlace([says('Hi.')], ['--no-confine', '--host', host]);
    const token = await place.token();
    await place.start();
    const card = await fetch(`${place.url}/.well-known/agent-card.json`);
    expect(await card.text()).toContain(`"url":"${place.url}/"`);
    expect((await place.post(hello, bearer(token))).status).toBe(200);
  },
  60_000,
);

test('a server behind a proxy names the address that others use [peer.tls]', async () => {
  await using place = await openA2aPlace([says('Hi.')], ['--no-confine', '--url', 'https://agents.example/gemini']);
  await place.token();
  await place.start();
  const [, port = ''] = /listening at 127\.0\.0\.1:(\d+)/.exec(place.log()) ?? [];
  const card = await (await fetch(`http://127.0.0.1:${port}/.well-known/agent-card.json`)).text();
  expect(card).toContain('"url":"https://agents.example/gemini/"');
}, 60_000);
