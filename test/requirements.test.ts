import {expect, test} from '@jest/globals';
import {readSources} from './helpers/sources.js';
import {readJourneys} from './journeys/journey.js';
import {requirements} from './requirements.js';

/** Ids in brackets at the end of a title, several one after the other; a long title may have them on a line apart. */
const cited = /((?:(?: |(?<=\+\n\s*)['"`])\[[a-z]+\.[a-z-]+\])+)['"`]/g;

async function readCitations(): Promise<ReadonlySet<string>> {
  const tests = [...(await readSources(['test'], '.test.ts')).values()];
  const titles = tests.flatMap((text) =>
    [...text.matchAll(cited)].flatMap(([, ids = '']) => ids.split(/[\s[\]'"`]+/).filter(Boolean)),
  );
  const journeys = (await readJourneys()).flatMap(({cites}) => cites);
  return new Set([...titles, ...journeys]);
}

test('every promise is shown by a test or a journey', async () => {
  const citations = await readCitations();
  expect(Object.keys(requirements).filter((id) => !citations.has(id))).toEqual([]);
});

test('every promise that a test or a journey cites is one', async () => {
  expect([...(await readCitations())].filter((id) => !(id in requirements))).toEqual([]);
});

test('every journey shows at least one promise', async () => {
  expect((await readJourneys()).filter(({cites}) => cites.length === 0).map(({name}) => name)).toEqual([]);
});
