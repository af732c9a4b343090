import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from '@jest/globals';
import {onPosix} from '../../helpers/where.js';
import {foreign, readNotes, scripted, startMcp, textOf} from './scene.js';

/** The long form has the counts of the plugin's promise. */
const isLong = process.env['FUZZ_RUNS'] !== undefined;
const CALLS = isLong ? 10_000 : 1000;
const IN_FLIGHT = 100;
const KILLS = isLong ? 200 : 8;

test(`${CALLS} calls, ${IN_FLIGHT} at a time, each get their own answer once [mcp.robust]`, async () => {
  const notes = join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');
  await using kernel = await startMcp({one: scripted(`notes=${notes}`), two: scripted()});
  const waiting = Array.from({length: CALLS}, (_, index) => index);
  const wrong: string[] = [];
  const heap: number[] = [];
  await Promise.all(
    Array.from({length: IN_FLIGHT}, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const text = `text ${next}`;
        const given = textOf(await kernel.call(`mcp_${next % 2 === 0 ? 'one' : 'two'}_echo`, {text}));
        if (given !== foreign(text)) wrong.push(`${text}: ${given}`);
        if (next % 100 === 0) heap.push(process.memoryUsage().heapUsed);
      }
    }),
  );
  expect(wrong).toEqual([]);
  expect((await readNotes(notes)).filter((line) => line === 'call echo')).toHaveLength(CALLS / 2);
  // Garbage that was not collected yet is part of it.
  expect((heap.at(-1) ?? 0) - (heap[0] ?? 0)).toBeLessThan(150 * 2 ** 20);
}, 600_000);

onPosix(
  `a server killed ${KILLS} times at any moment: every call ends with its answer or a named error [mcp.restart]`,
  async () => {
    const notes = join(await mkdtemp(join(tmpdir(), 'gemini-mcp-')), 'notes');
    const seen: string[] = [];
    const lost: (readonly string[])[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await using kernel = await startMcp({one: scripted(`notes=${notes}`)});
      await kernel.call('mcp_one_echo', {text: 'first'});
      const pid = Number(
        (await readNotes(notes))
          .filter((line) => line.startsWith('start'))
          .at(-1)
          ?.slice(6),
      );
      const calls = Array.from({length: 5}, (_, index) =>
        index === 4 ? kernel.call('mcp_one_slow', {steps: 3, ms: 10}) : kernel.call('mcp_one_echo', {text: `${index}`}),
      );
      await sleep(Math.random() * 40);
      process.kill(pid, 'SIGKILL');
      seen.push(...(await Promise.all(calls)).map((outcome) => textOf(outcome)));
      // The call that meets the end fails with its reason; the next one has a new server.
      const after = async (): Promise<string> => textOf(await kernel.call('mcp_one_echo', {text: 'after'}));
      const once = await after();
      const then = once === foreign('after') ? once : await after();
      seen.push(once, then);
      if (then !== foreign('after')) lost.push([once, then]);
    }
    const isRight = (text: string): boolean =>
      /^<untrusted_context>\n(?:\d|ready|after)\n|^MCP_(?:SERVER_UNAVAILABLE|CALL_FAILED|TOOL_GONE): /.test(text);
    expect(seen.filter((text) => !isRight(text))).toEqual([]);
    expect(lost).toEqual([]);
  },
  600_000,
);
