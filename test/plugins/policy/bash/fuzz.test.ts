import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import {createJail, type Jail} from './jail.js';
import {findMissed, judge, place, reader} from './judge.js';
import {disturbed, hostile, nonsense, quoted, sensible} from './lines.js';

/** The short form is the same each time; the long one (`npm run fuzz`) is another each time. */
const given = process.env['FUZZ_RUNS'];
const parameters = given === undefined ? {numRuns: 300, seed: 20_261_120} : {numRuns: Number(given)};
const LONG = 3_600_000;

/** What a line did that its analysis does not say, or nothing. */
async function surprise(jail: Jail, line: string): Promise<object | undefined> {
  if (!isSafeToRun(jail, line)) return undefined;
  const analysis = reader.read(line, place);
  if (analysis.doubts.length > 0) return undefined;
  const ran = await jail.run(line);
  const missed = findMissed(analysis, ran.programs);
  const files = analysis.redirects ? [] : ran.files;
  const isAllowed = judge(analysis) === 'allow';
  const others = isAllowed ? ran.programs.filter(([name]) => name !== 'git' && name !== 'ls') : [];
  return missed.length + files.length + others.length > 0 ? {line, missed, files, others} : undefined;
}

/** Without a root of its own, nothing is run that could reach a real program or write elsewhere. */
function isSafeToRun({isClosed}: Jail, line: string): boolean {
  return isClosed || !/[/~]|cd|\.\./.test(line);
}

describe('a line without doubt runs nothing but what its analysis lists', () => {
  test.each([
    ['when it makes sense', sensible],
    ['when it makes no sense', nonsense],
    ['when something is out of place', disturbed],
    ['when quotes and expansions meet', quoted],
    ['when a value is hostile', hostile],
  ])(
    '%s [policy.shell]',
    async (_, lines) => {
      await using jail = await createJail();
      await fc.assert(
        fc.asyncProperty(lines, async (line) => {
          expect(await surprise(jail, line)).toBeUndefined();
        }),
        parameters,
      );
    },
    LONG,
  );
});
