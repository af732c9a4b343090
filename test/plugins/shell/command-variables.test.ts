import {describe, expect, test} from '@jest/globals';
import {findMissed} from '#plugins/shell/dist/command-variables.js';

describe('withheld variables that a command misses [secrets.withheld]', () => {
  const names = ['API_TOKEN', 'TOKEN', 'ODD.KEY', 'ODD_A.KEY'];

  test.each<[string, string, string | undefined, readonly string[]]>([
    ['asked for', 'echo $API_TOKEN', undefined, ['API_TOKEN']],
    ['asked for in braces and in another case', 'echo ${api_token:-none}', undefined, ['API_TOKEN']],
    ['asked for as PowerShell and cmd do', 'echo $env:TOKEN %ODD.KEY%', undefined, ['TOKEN', 'ODD.KEY']],
    ['a part of a longer name', 'echo $API_TOKENS', 'MY_API_TOKEN', []],
    ['named by the output', 'make', 'error: API_TOKEN and ODD_A.KEY are not set', ['API_TOKEN', 'ODD_A.KEY']],
    ['a plain word of the output', 'make', 'TOKEN is unset', []],
    ['redacted in the output', 'make', 'is [redacted: API_TOKEN]', []],
  ])('%s', (_, command, output, expected) => {
    expect(findMissed(names, {command, output})).toEqual(expected);
  });

  test('are looked for among thousands of names in time by their number [env.many]', () => {
    const output = 'a line of output that names NOTHING_OF_IT\n'.repeat(800);
    const timeOf = (count: number): number => {
      const withheld = Array.from({length: count}, (_, index) => `SOME_TOKEN_${index}`);
      const began = performance.now();
      for (let turn = 0; turn < 3; turn += 1) findMissed(withheld, {command: 'make', output});
      return performance.now() - began;
    };
    timeOf(10);
    // A thousand times as many: reading the output once for each would take 500 times as long.
    expect(timeOf(10_000)).toBeLessThan(Math.max(timeOf(10), 3) * 50);
  });
});
