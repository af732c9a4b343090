import {expect, test} from '@jest/globals';
import type {Task} from '@a2a-js/sdk';
import {says} from '../../helpers/run-agent.js';
import {artifactsOf, asks, openA2aPlace, type A2aPlace} from './a2a-place.js';
import {startIssuer, type Issuer} from './issuer.js';

const hello = {jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {}};

const admit = (place: A2aPlace, issuer: Issuer, ...words: string[]) =>
  place.run([
    ...['a2a', 'token', 'create', 'nightly', '--issuer', issuer.url, '--audience', 'gemini', '--subject', 'builds'],
    ...words,
  ]);

/** The status of a request, and what it says. */
async function answer(place: A2aPlace, token: string): Promise<string> {
  const response = await place.post(hello, {authorization: `Bearer ${token}`});
  const {error} = (await response.json()) as {error?: {message: string}};
  return `${response.status}${error ? ` ${error.message}` : ''}`;
}

test('a token of the issuer, audience and subject of a grant is let in, and no other one [peer.openid]', async () => {
  await using place = await openA2aPlace([says('Hello.')]);
  await using issuer = await startIssuer();
  await using stranger = await startIssuer();
  const made = await admit(place, issuer, '--json');
  const {id, ...grant} = JSON.parse(made.stdout) as {id: string};
  expect(grant).toMatchObject({name: 'nightly', openid: {issuer: issuer.url, audience: 'gemini', subject: 'builds'}});
  expect(grant).not.toHaveProperty('token');
  await place.start();
  const client = await place.client(await issuer.sign());
  const task = (await client.sendMessage(asks('Hi'))) as Task;
  expect(artifactsOf(task)).toEqual({response: 'Hello.'});

  const now = Math.floor(Date.now() / 1000);
  const [unsigned = '', confused = ''] = await issuer.forge();
  const of = `The token of ${issuer.url} was not taken:`;
  const [head = '', , signature = ''] = (await issuer.sign()).split('.');
  const [, other = ''] = (await issuer.sign({sub: 'root'})).split('.');
  const cases: readonly (readonly [string, string])[] = [
    [await issuer.sign(), '200'],
    [await issuer.sign({aud: ['else', 'gemini']}), '200'],
    [await issuer.sign({aud: 'another-server'}), `401 ${of} its claim "aud" is not the one that is expected.`],
    [await issuer.sign({exp: now - 120}), `401 ${of} it has expired.`],
    [await issuer.sign({exp: undefined}), `401 ${of} its claim "exp" is not the one that is expected.`],
    [await issuer.sign({nbf: now + 600}), `401 ${of} its claim "nbf" is not the one that is expected.`],
    [await issuer.sign({sub: 'someone'}), `401 No grant is for the subject "someone" of ${issuer.url}.`],
    [`${head}.${other}.${signature}`, `401 ${of} signature verification failed.`],
    [confused, `401 ${of} its algorithm is not one of these: RS256`],
    [await stranger.sign(), '401 Send a token of this server'],
    [await stranger.sign({iss: issuer.url}), `401 ${of}`],
    [unsigned, '401 Send a token of this server'],
    ['a.b.c', '401 Send a token of this server'],
    [`${id}.`, '401 Send a token of this server'],
    ['x'.repeat(9000), '401 Send a token of this server'],
  ];
  for (const [token, expected] of cases)
    expect([token, await answer(place, token)]).toEqual([token, expect.stringContaining(expected)]);
  // Only an issuer that a grant names is ever asked.
  expect(stranger.asked).toEqual([]);

  const card = (await (await fetch(`${place.url}/.well-known/agent-card.json`)).json()) as Record<string, object>;
  expect(card['securitySchemes']).toMatchObject({
    openid: {openIdConnectSecurityScheme: {openIdConnectUrl: `${issuer.url}/.well-known/openid-configuration`}},
  });
  expect(await place.run(['a2a', 'token', 'revoke', id])).toMatchObject({code: 0});
  expect(await answer(place, await issuer.sign())).toContain('401');
}, 60_000);

test('keys are read once, and again for a key that is new [peer.openid]', async () => {
  await using place = await openA2aPlace([]);
  await using issuer = await startIssuer();
  await admit(place, issuer);
  await place.start();
  for (let at = 0; at < 5; at += 1) expect(await answer(place, await issuer.sign())).toBe('200');
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
  await issuer.rotate();
  // Within a minute, a flood of unknown keys has nothing read again.
  const flood = await Promise.all(Array.from({length: 20}, async () => answer(place, await issuer.sign())));
  expect(flood.every((one) => one.startsWith('401'))).toBe(true);
  expect(issuer.asked).toHaveLength(2);
}, 60_000);

test.each(['broken', 'large', 'other', 'elsewhere'] as const)(
  'an issuer that is %s is named, and no one is let in [peer.openid]',
  async (how) => {
    await using place = await openA2aPlace([]);
    await using issuer = await startIssuer();
    await admit(place, issuer);
    await place.start();
    issuer.behave(how);
    expect(await answer(place, await issuer.sign())).toMatch(/^503 .* cannot be asked for its keys: /);
  },
  60_000,
);

test('an issuer that does not answer holds a request for seconds only, and no other one [peer.openid]', async () => {
  await using place = await openA2aPlace([]);
  await using issuer = await startIssuer();
  await admit(place, issuer);
  const token = await place.token();
  await place.start();
  issuer.behave('silent');
  const late = answer(place, await issuer.sign());
  expect(await answer(place, token)).toBe('200');
  expect(await late).toMatch(/^503 .* cannot be asked for its keys: /);
}, 60_000);

test.each([
  [['--issuer', 'https://a.example'], '--issuer, --audience and --subject belong together.'],
  [
    ['--issuer', 'http://a.example', '--audience', 'x', '--subject', 'y'],
    '--issuer does not accept "http://a.example"',
  ],
  [['--issuer', 'https://a.example/?x', '--audience', 'x', '--subject', 'y'], '--issuer does not accept'],
  [['--issuer', 'https://a.example', '--audience', '', '--subject', 'y'], '"" is empty or too long.'],
])('a login that cannot be is named: %j [peer.openid]', async (words, reason) => {
  await using place = await openA2aPlace([]);
  const {code, stderr} = await place.run(['a2a', 'token', 'create', 'x', ...words]);
  expect([code, stderr]).toEqual([42, expect.stringContaining(reason)]);
});
