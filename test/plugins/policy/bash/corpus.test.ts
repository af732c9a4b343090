import {readdir, readFile} from 'node:fs/promises';
import {describe, expect, test} from '@jest/globals';
import {parse} from 'smol-toml';
import {checkout} from '../../../helpers/plugin-root.js';
import {createJail, type Jail} from './jail.js';
import {findMissed, judge, place, reader, type Decision} from './judge.js';

interface CorpusLine {
  readonly line: string;
  readonly why: string;
  readonly decision: Decision;
  /** Seen to run rm. */
  readonly runs?: boolean;
  /** Only to be run where absolute paths lead nowhere. */
  readonly closed?: boolean;
}

interface EverydayLine {
  readonly line: string;
  readonly commands: readonly string[];
}

const folder = `${checkout}test/plugins/policy/bash`;
const readLines = async <L>(file: string): Promise<readonly L[]> =>
  (parse(await readFile(`${folder}/${file}`, 'utf8')) as unknown as {line: L[]}).line;
const files = (await readdir(`${folder}/corpus`)).sort();
const corpus = new Map(
  await Promise.all(files.map(async (file) => [file, await readLines<CorpusLine>(`corpus/${file}`)] as const)),
);
const everyday = await readLines<EverydayLine>('everyday.toml');

const rm = (program: readonly string[]): boolean => program[0] === 'rm';
const isAllowed = ([name]: readonly string[]): boolean => name === 'git' || name === 'ls';

/** What running a line showed that its decision or its analysis does not bear. */
async function refute(
  jail: Jail,
  {line, decision, runs = false, closed = false}: CorpusLine,
): Promise<readonly string[]> {
  if (closed && !jail.isClosed) return [];
  const {programs} = await jail.run(line);
  const analysis = reader.read(line, place);
  const missed = analysis.doubts.length > 0 ? [] : findMissed(analysis, programs);
  return [
    ...(decision === 'allow'
      ? programs.filter((program) => !isAllowed(program)).map((program) => `is allowed and runs ${program.join(' ')}`)
      : []),
    ...missed.map((program) => `runs ${program.join(' ')}, which nothing says`),
    ...(runs && jail.isClosed && !programs.some(rm) ? ['no longer runs rm'] : []),
  ];
}

describe('the bypass corpus', () => {
  test('has at least 170 lines, none twice [policy.shell]', () => {
    const lines = [...corpus.values()].flat().map(({line}) => line);
    expect(lines.length).toBeGreaterThanOrEqual(170);
    expect(new Set(lines).size).toBe(lines.length);
  });

  test.each(files)('%s: each line is decided as it says [policy.shell]', (file) => {
    const lines = corpus.get(file) ?? [];
    expect(Object.fromEntries(lines.map(({line}) => [line, judge(reader.read(line, place))]))).toEqual(
      Object.fromEntries(lines.map(({line, decision}) => [line, decision])),
    );
  });

  test.each(files)(
    '%s: bash, when it runs the lines, does nothing that the decisions rule out [policy.shell]',
    async (file) => {
      await using jail = await createJail();
      const refuted: Record<string, readonly string[]> = {};
      for (const one of corpus.get(file) ?? []) {
        const reasons = await refute(jail, one);
        if (reasons.length > 0) refuted[one.line] = reasons;
      }
      expect(refuted).toEqual({});
    },
  );
});

describe('everyday lines', () => {
  test('are at least 60 [policy.shell]', () => {
    expect(everyday.length).toBeGreaterThanOrEqual(60);
  });

  test.each(everyday.map(({line, commands}) => [line, commands] as const))(
    '%j carries no doubt and yields its commands [policy.shell]',
    (line, commands) => {
      const analysis = reader.read(line, place);
      expect({
        doubts: analysis.doubts,
        commands: analysis.commands.map(({words}) => words.map(({value}) => value ?? '…').join(' ')),
      }).toEqual({doubts: [], commands});
    },
  );
});
