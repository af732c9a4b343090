import {expect, test} from '@jest/globals';
import {makeOpenBundle} from './open-bundle.js';
import {makeTeam} from './platform-team.js';
import {examineBundle, type Circumstances} from '#plugins/bundles/dist/bundle/examine-bundle.js';

const bundle = makeOpenBundle({serial: 3, expires: '2030-01-01T00:00:00Z'});

/** The codes of what is not in order, but for the missing signature. */
const codesAt = (now: string, more: Partial<Circumstances> = {}): readonly (string | undefined)[] =>
  examineBundle(bundle, {keys: {}, managed: {kind: 'none'}, applied: undefined, now: new Date(now), ...more})
    .filter(({subject, code}) => subject !== 'signature' && code)
    .map(({code}) => code);

test('a bundle holds until the very moment at which it expires', () => {
  expect([codesAt('2029-12-31T23:59:59.999Z'), codesAt('2030-01-01T00:00:00Z')]).toEqual([[], ['BUNDLE_EXPIRED']]);
});

test.each([
  [2, 'other', []],
  [3, 'other', ['BUNDLE_REPLAYED']],
  [4, 'other', ['BUNDLE_REPLAYED']],
])('after serial %i (%s content) serial 3 is refused with %j', (serial, digest, codes) => {
  expect(codesAt('2026-01-01T00:00:00Z', {applied: {serial, digest, signers: [], at: ''}})).toEqual(codes);
});

test('rules that cannot be relied on are all that is said', () => {
  expect(
    examineBundle(bundle, {
      keys: {},
      managed: {kind: 'unreadable', reason: 'it is gone', blocked: []},
      applied: undefined,
      now: new Date(),
    }),
  ).toEqual([{subject: 'rules', code: 'BUNDLE_REFUSED', text: "the administrator's rules cannot be used: it is gone"}]);
});

test('status says two weeks before that a bundle expires', async () => {
  await using team = await makeTeam();
  const archive = await team.release({plugins: [], expires: new Date(Date.now() + 5.5 * 86_400_000).toISOString()});
  await team.apply(archive);
  expect(await team.elsewhere('bundle', 'status')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/expires {3}\S+Z, in 5 days: prepare a newer one/),
  });
}, 60_000);
