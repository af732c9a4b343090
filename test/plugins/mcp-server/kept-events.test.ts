import {expect, test} from '@jest/globals';
import {KeptEvents} from '#plugins/mcp-server/dist/http/kept-events.js';

const message = (text: string) => ({jsonrpc: '2.0' as const, method: 'notifications/message', params: {text}});

async function replay(events: KeptEvents, after: string): Promise<readonly string[]> {
  const sent: string[] = [];
  await events.replayEventsAfter(after, {
    send: async (_id, sentMessage) => {
      if ('params' in sentMessage) sent.push(String(sentMessage.params?.['text']));
    },
  });
  return sent;
}

test('the messages of one stream come again in their order, without those of another [serve.resume]', async () => {
  const events = new KeptEvents();
  const first = await events.storeEvent('a', {} as never);
  await events.storeEvent('a', message('one'));
  await events.storeEvent('b', message('other'));
  const last = await events.storeEvent('a', message('two'));
  expect(await replay(events, first)).toEqual(['one', 'two']);
  expect(await replay(events, last)).toEqual([]);
});

test('at most 1,000 messages and 32 million characters are kept, the newest always [serve.resume]', async () => {
  const events = new KeptEvents();
  const first = await events.storeEvent('a', message('first'));
  for (let at = 1; at < 1000; at += 1) await events.storeEvent('a', message(String(at)));
  expect(events.has(first)).toBe(true);
  const late = await events.storeEvent('a', message('one too many'));
  expect([events.has(first), events.has(late)]).toEqual([false, true]);
  const huge = await events.storeEvent('a', message('x'.repeat(33 * 1024 * 1024)));
  expect([events.has(late), events.has(huge)]).toEqual([false, true]);
});
