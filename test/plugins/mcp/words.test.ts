import {describe, expect, test} from '@jest/globals';
import {composeEntry} from '#plugins/mcp/dist/config/compose-entry.js';
import {composeToolName} from '#plugins/mcp/dist/offers/tool-name.js';
import {splitWords} from '#plugins/mcp/dist/split-words.js';
import {Lines} from '#plugins/mcp/dist/connection/lines.js';

describe('the words of mcp add [mcp.add]', () => {
  const split = (line: string): unknown => {
    const {own, words} = splitWords(line.split(' '), {withValue: ['env', 'e', 'scope'], withoutValue: ['trust']});
    return [own.join(' '), words.join(' ')];
  };

  test.each([
    ['x npx -y pkg', 'x npx', '-y pkg'],
    ['--scope user x npx pkg --trust', '--scope user x npx --trust', 'pkg'],
    ['-e A=1 x node server.js -e B=2 --port 3', '-e A=1 x node -e B=2', 'server.js --port 3'],
    ['x -- node server.js --trust', 'x node', 'server.js --trust'],
    ['x node -- --trust -e', 'x node', '--trust -e'],
    ['--scope=user x url', '--scope=user x url', ''],
    ['x node - --env=A=1', 'x node --env=A=1', '-'],
    ['--unknown x node', '--unknown x node', ''],
  ])('%s', (line, own, words) => {
    expect(split(line)).toEqual([own, words]);
  });

  test('values keep what follows the first separator', () => {
    expect(composeEntry({target: 'node', words: ['a.js'], env: ['A=b=c']})).toEqual({
      command: 'node',
      args: ['a.js'],
      env: {A: 'b=c'},
    });
    expect(composeEntry({target: 'https://x.example', words: [], header: ['A: b: c'], trust: true})).toEqual({
      url: 'https://x.example',
      headers: {A: 'b: c'},
      trust: true,
    });
  });

  test.each([
    [{target: 'node', words: [], env: ['A']}, '--env must have the form NAME=value, not "A".'],
    [{target: 'https://x.example', words: ['a']}, 'An address takes no arguments: a.'],
    [{target: 'node', words: [], header: ['A: b']}, '--header is for addresses; a program gets no headers.'],
  ])('%j is refused', (given, sentence) => {
    expect(() => composeEntry(given)).toThrow(sentence);
  });
});

describe('names of tools [mcp.names]', () => {
  test.each([
    ['files', 'read', 'mcp_files_read'],
    ['my server', 'read file', 'mcp_my_server_read_file'],
    ['mcp', 'read', 'mcp_read'],
    ['a', `${'b'.repeat(70)}end`, `mcp_a_${'b'.repeat(24)}...${'b'.repeat(27)}end`],
    ['a', 'x'.repeat(57), `mcp_a_${'x'.repeat(57)}`],
  ])('%s %s', (server, tool, name) => {
    expect(composeToolName(server, tool)).toBe(name);
  });
});

test('lines come whole however they are cut, and one that is too long is dropped [mcp.robust]', () => {
  const text = Buffer.from(`one\r\nünder\n\n${'x'.repeat(40)}\nlast\nunfinished`);
  for (let size = 1; size < 20; size += 1) {
    const lines: string[] = [];
    let dropped = 0;
    const reader = new Lines(
      30,
      (line) => lines.push(line),
      () => (dropped += 1),
    );
    for (let at = 0; at < text.length; at += size) reader.push(text.subarray(at, at + size));
    expect({lines, dropped}).toEqual({lines: ['one', 'ünder', 'last'], dropped: 1});
  }
});
