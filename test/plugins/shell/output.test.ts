import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {openShell, run} from './open-shell.js';
import {ByteTail} from '#plugins/shell/dist/byte-tail.js';
import {KeptOutput} from '#plugins/shell/dist/kept-output.js';
import {screenText, openEscapeLength} from '#plugins/shell/dist/screen-text.js';
import {showOutput} from '#plugins/shell/dist/show-output.js';

const noSecrets = {reach: 0, push: (text: string) => text, end: () => ''};

function show(
  chunks: readonly Buffer[],
  limit: number,
  {head = limit, tail = limit} = {},
): ReturnType<typeof showOutput> {
  const kept = new KeptOutput({head, tail});
  for (const chunk of chunks) kept.push(chunk);
  return showOutput(kept, {limit, legacy: undefined, redactor: noSecrets});
}

describe('the end of a stream', () => {
  test('is what the last bytes of all pieces are', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 1, max: 40}),
        fc.array(fc.uint8Array({maxLength: 60}), {maxLength: 12}),
        (limit, chunks) => {
          const tail = new ByteTail(limit);
          for (const chunk of chunks) tail.push(chunk);
          const all = Buffer.concat(chunks);
          expect(tail.toBuffer()).toEqual(all.subarray(Math.max(0, all.length - limit)));
        },
      ),
    );
  });

  test('and its beginning, with what lies between, are all of it', () => {
    fc.assert(
      fc.property(
        fc.integer({min: 0, max: 30}),
        fc.integer({min: 1, max: 30}),
        fc.array(fc.uint8Array({maxLength: 40, max: 12}), {maxLength: 8}),
        (head, tail, chunks) => {
          const kept = new KeptOutput({head, tail});
          for (const chunk of chunks) kept.push(chunk);
          const all = Buffer.concat(chunks);
          const parts = kept.parts();
          const between = all.subarray(parts.head.length, all.length - parts.tail.length);
          const gap =
            between.length === 0
              ? undefined
              : {bytes: between.length, lines: between.filter((byte) => byte === 10).length};
          expect([Buffer.concat([parts.head, between, parts.tail]), parts.gap]).toEqual([all, gap]);
        },
      ),
    );
  });
});

describe('long output', () => {
  const lines = (from: number, to: number): string =>
    Array.from({length: to - from}, (_, index) => `line ${String(from + index).padStart(6, '0')}\n`).join('');

  test.each([
    {head: 100_000, tail: 100_000},
    {head: 1600, tail: 6400},
  ])('is cut between whole lines, and what is left out is counted (%j kept)', (kept) => {
    const all = lines(0, 1000);
    const {text, ...amounts} = show([Buffer.from(all)], 1200, kept);
    const [head, tail] = [lines(0, 20), lines(920, 1000)];
    expect(text).toBe(
      `${head}... [900 lines, 10,800 bytes left out; write the output to a file to see all of it] ...\n${tail}`,
    );
    expect(amounts).toEqual({encoding: 'utf-8', bytes: 12_000, omittedBytes: 10_800, omittedLines: 900});
  });

  test('on one line is cut between characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'é', '漢', '😀'), {minLength: 300, maxLength: 400}),
        fc.integer({min: 60, max: 90}),
        fc.integer({min: 100, max: 130}),
        (characters, head, tail) => {
          const {text} = show([Buffer.from(characters.join(''))], 100, {head, tail});
          expect(text).toMatch(/^[aé漢😀]+\n\.\.\. \[0 lines, [\d,]+ bytes left out; [^\n]+\] \.\.\.\n[aé漢😀]+$/u);
        },
      ),
    );
  });

  test('shows no half of a secret at the cut', () => {
    const secret = 'S3CR3T-S3CR3T';
    const parts = (text: string): string => text.replaceAll(secret, '<redacted>');
    const redactor = (held = '') => ({
      reach: secret.length - 1,
      push: (text: string) => {
        const all = parts(held + text);
        const open =
          Array.from({length: secret.length - 1}, (_, index) => secret.length - 1 - index).find((length) =>
            all.endsWith(secret.slice(0, length)),
          ) ?? 0;
        held = all.slice(all.length - open);
        return all.slice(0, all.length - open);
      },
      end: () => {
        const rest = held;
        held = '';
        return rest;
      },
    });
    for (let shift = 0; shift < secret.length; shift += 1) {
      const kept = new KeptOutput({head: 300, tail: 900});
      kept.push(Buffer.from('x'.repeat(shift) + secret.repeat(1000)));
      const {text} = showOutput(kept, {limit: 5000, legacy: undefined, redactor: redactor()});
      expect(text.replace(/^\.\.\. .*$/m, '')).toMatch(/^[x<redact>\n]+$/);
    }
  });

  test('of a command is kept at both ends, as long as the settings say', async () => {
    await using kernel = await openShell({
      homeFiles: {'.gemini/settings.json': '{"tools": {"truncateToolOutputThreshold": 2000}}'},
    });
    const {text, data} = await run(kernel, {command: 'seq 1 2000000'});
    expect(text).toMatch(
      /^Output: 1\n2\n3\n[^]*\n\.\.\. \[1,99\d,\d{3} lines, 14,88\d,\d{3} bytes left out; [^]*\n1999999\n2000000$/,
    );
    expect(text.length).toBeLessThan(2200);
    expect(data).toMatchObject({bytes: 14_888_896, exitCode: 0});
  });

  test('on one line of many megabytes is kept at both ends', async () => {
    await using kernel = await openShell();
    const {text} = await run(kernel, {command: "head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end"});
    expect(text).toMatch(/^Output: x{8000}\n\.\.\. \[0 lines, 19,960,00\d bytes left out; .*\] \.\.\.\nx{31995}\nend$/);
  });
});

describe('a terminal', () => {
  test.each<[string, string, string]>([
    ['plain text', 'a\tb\nc', 'a\tb\nc'],
    ['colours', '\u001b[1;31mred\u001b[0m \u001b[38;2;1;2;3mx\u001b[m', 'red x'],
    ['titles and links', '\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\', 'alink'],
    ['an unfinished title', 'a\u001b]0;title\nb', 'a\nb'],
    ['lines that end as on Windows', 'a\r\nb\r\n', 'a\nb\n'],
    ['a bar that returns', '10%\r50%\r100%\n', '100%\n'],
    ['a shorter line over a longer one', 'downloading\rdone', 'doneloading'],
    ['a line that is erased first', 'downloading\r\u001b[Kdone', 'done'],
    ['a line that is erased whole', 'downloading\u001b[2K\rdone', 'done'],
    ['backspaces', 'ab\b\bcd_\bx', 'cdx'],
    ['bars on several lines', 'a 10%\nb 10%\n\u001b[2A\u001b[Ka 100%\n\u001b[Kb 100%\n', 'a 100%\nb 100%\n'],
    ['what is erased below', 'a\nb\nc\u001b[2A\r\u001b[Jdone', 'done'],
    ['moves to the right', 'a\u001b[3Cb\u001b[999999999Cc', `a   b${' '.repeat(495)}c`],
    ['zero bytes and bells', 'a\u0000b\u0007c', 'abc'],
    ['wide characters', '漢字\r😀', '😀字'],
  ])('shows %s so', (_, output, expected) => {
    expect(screenText(output)).toBe(expected);
  });

  test('is never told to obey anything', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            'a',
            '\u001b',
            '[',
            ']',
            '1',
            ';',
            'm',
            'K',
            'A',
            '\r',
            '\n',
            '\b',
            '\u0007',
            '\u009b',
            '\\',
          ),
          maxLength: 60,
        }),
        (output) => {
          expect(screenText(output)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        },
      ),
    );
  });

  test.each<[string, number]>([
    ['\u001b', 1],
    ['a\u001b[', 2],
    ['a\u001b[1;3', 5],
    ['a\u001b[1m', 0],
    ['\u001b]0;ti', 6],
    ['\u001b]0;ti\u0007', 0],
    ['\u001b]0;ti\u001b', 7],
    ['plain', 0],
  ])('would wait for the end of %j', (output, expected) => {
    expect(openEscapeLength(output)).toBe(expected);
  });

  test('is shown in time that grows with the output only', () => {
    const started = performance.now();
    for (const unit of ['\u001b[', '\b', 'a\r', '\u001b[500C', '\u001b]', '\u001b[5Aa\n', '\r\n\u001b[J'])
      screenText(unit.repeat(200_000 / unit.length));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
