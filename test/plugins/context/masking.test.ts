import {describe, expect, test} from '@jest/globals';
import {changesOf, findFact, sizeOf, startLongTalk} from './talk.js';

/** A small version of what a long session is like: the sizes of the settings are a tenth. */
const SMALL = {
  contextManagement: {
    tools: {outputMasking: {protectionThresholdTokens: 5000, minPrunableThresholdTokens: 3000}},
  },
};
const COURSE = {requests: 60, calls: 1, size: 3000, perPrompt: 10};

describe('a long conversation', () => {
  test('sends less, changes its prefix rarely, and loses nothing [context.masking]', async () => {
    await using long = await startLongTalk(COURSE, SMALL);
    await using plain = await startLongTalk(COURSE, {...SMALL, context: {maskToolOutput: false}});
    await long.run();
    await plain.run();
    const [sent, whole] = [long, plain].map(({talk}) =>
      talk.server.requests.reduce((sum, request) => sum + sizeOf(request), 0),
    );
    expect(long.talk.server.faults).toEqual([]);
    expect((sent ?? 0) / (whole ?? 1)).toBeLessThan(0.8);
    const changes = changesOf(long.talk.server.requests);
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThanOrEqual(COURSE.requests / 20);
    expect(changesOf(plain.talk.server.requests)).toEqual([]);
    const found = new Set<string>();
    for (const file of long.read) found.add(await findFact(long, file));
    expect([...found].sort()).toEqual(['file', 'request']);
  });

  test('that is short sends what it would send without the plugin [context.short]', async () => {
    await using long = await startLongTalk({requests: 6, calls: 1, size: 3000, perPrompt: 3}, {});
    await long.run();
    expect(changesOf(long.talk.server.requests)).toEqual([]);
    expect(JSON.stringify(long.talk.server.requests.at(-1)?.messages)).not.toContain('masked');
  });
});
