import {expect, test} from '@jest/globals';
import {findBreaks, readBuilt, readPins, type Contracts} from './contracts.js';

const pinned = await readPins();

test('the contracts are those that are pinned; npm run pin pins them again [contracts.pinned]', async () => {
  const built = await readBuilt();
  expect(Object.fromEntries(built.files)).toEqual(Object.fromEntries(pinned.files));
  expect(built.versions).toEqual(pinned.versions);
});

/** Contracts with one piece of text replaced. */
function change(contracts: Contracts, path: string, from: string | RegExp, to: string): Contracts {
  const text = contracts.files.get(path) ?? '';
  const next = text.replace(from, to);
  if (next === text) throw new Error(`${path} has no ${String(from)}.`);
  return {...contracts, files: new Map(contracts.files).set(path, next)};
}

const breaking: readonly (readonly [path: string, from: string | RegExp, to: string])[] = [
  ['plugin-doctor/contract.d.ts', /\bfind\(/, 'seek('],
  ['plugin-trust/contract.d.ts', 'state()', 'state(deep: boolean)'],
  ['kernel/contract/moments/session-open.d.ts', "'notify'", "'gate'"],
  ['kernel/contract/session.d.ts', 'readonly live: boolean;', ''],
  ['kernel/contract/notice.d.ts', 'readonly sentence: string', "readonly sentence: 'x'"],
];

test('a method that is gone, one more argument, another kind, a thing less and a narrower one are found [contracts.breaks]', async () => {
  const broken = breaking.reduce((all, one) => change(all, ...one), pinned);
  expect(await findBreaks(pinned, broken)).toEqual(
    expect.arrayContaining([
      'service journal',
      'service trust',
      'moment session:open',
      'type SessionInfo',
      'type Notice',
    ]),
  );
}, 120_000);

test('a break that a major version announces, and what is only new, break nothing [contracts.breaks]', async () => {
  const broken = change(pinned, 'plugin-doctor/contract.d.ts', /\bfind\(/, 'seek(');
  const more = change(broken, 'plugin-trust/contract.d.ts', 'state()', 'state(deep?: boolean)');
  const services = {...pinned.versions.services, journal: '2.0.0'};
  expect(await findBreaks(pinned, {...more, versions: {...pinned.versions, services}})).toEqual([]);
}, 120_000);
