import {expect, test} from '@jest/globals';
import {readJourneys} from './journey.js';
import {runJourney} from './run-journey.js';

const journeys = await readJourneys();

test.concurrent.each(journeys.map((journey) => [journey.title, journey] as const))(
  '%s',
  async (_, journey) => runJourney(journey),
  120_000,
);

test('no two journeys have the same title', () => {
  const titles = journeys.map(({title}) => title);
  expect(titles).toEqual([...new Set(titles)]);
});
