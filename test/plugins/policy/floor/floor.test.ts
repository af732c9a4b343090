import {describe, expect, test} from '@jest/globals';
import fc from 'fast-check';
import type {Mode} from '../../../../plugins/policy/src/rule.js';
import {Engine, makeLine} from '../engine/make.js';
import {attacks, corners} from './lines.js';
import {persons, product} from './rules.js';
import {createVault, type Breach, type Vault} from './vault.js';

/** The short form is the same each time; the long one (`npm run fuzz`) is another each time. */
const given = process.env['FUZZ_RUNS'];
const parameters = given === undefined ? {numRuns: 400, seed: 20_261_122} : {numRuns: Number(given)};
const LONG = 7_200_000;
const modes: readonly Mode[] = ['plan', 'default', 'auto_edit', 'yolo'];

type Engines = readonly (readonly [string, InstanceType<typeof Engine>])[];

/** Under which rules and in which modes a line needs no question. */
async function whereUnasked(engines: Engines, line: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [name, engine] of engines) {
    for (const mode of modes) {
      if (mode === 'auto_edit' && name !== 'nothing') continue;
      for (const interactive of mode === 'default' ? [true, false] : [true]) {
        const {decision} = await engine.judge(makeLine(line), {mode, interactive, trusted: true, roots: ['/work']});
        if (decision === 'allow') found.push(`${name} ${mode}${interactive ? '' : ' headless'}`);
      }
    }
  }
  return found;
}

function enginesIn({world}: Vault): Engines {
  return Object.entries(persons).map(([name, rules]) => [name, new Engine({rules: [...product, ...rules]}, world)]);
}

function breaches({read, written, ran}: Breach): boolean {
  return read.length + written.length + ran.length > 0;
}

/** In plan mode build files are closed by the mode, which a rule of a person may open. */
function isOpenIn(where: string, {read, written, ran}: Breach): boolean {
  return (
    where.includes('plan') && read.length + ran.length === 0 && written.every((path) => path.endsWith('package.json'))
  );
}

/** Lines that did what a rule closes without asking the person. */
async function findFailures(
  lines: readonly string[],
  runsAll: boolean,
): Promise<{failures: readonly object[]; harmful: number}> {
  await using vault = await createVault();
  const engines = enginesIn(vault);
  const failures: object[] = [];
  let [harmful, asked] = [0, 0];
  for (const line of vault.isClosed ? lines : []) {
    const unasked = await whereUnasked(engines, line);
    if (unasked.length === 0) asked += 1;
    const breach = unasked.length > 0 || runsAll || asked % 10 === 0 ? await vault.run(line) : undefined;
    if (!breach || !breaches(breach)) continue;
    harmful += 1;
    const where = unasked.filter((one) => !isOpenIn(one, breach));
    if (where.length > 0) failures.push({line, unasked: where, ...breach});
  }
  return {failures, harmful: vault.isClosed ? harmful : Infinity};
}

describe('what a rule closes stays closed', () => {
  test(
    'whatever a line is made of, whichever rule allowed its programs, in every mode [policy.floor]',
    async () => {
      const {failures, harmful} = await findFailures(fc.sample(attacks, parameters), false);
      expect(failures).toEqual([]);
      // Lines that would do no harm prove nothing.
      expect(harmful).toBeGreaterThan(parameters.numRuns / 50);
    },
    LONG,
  );

  test(
    'each known way, one by one [policy.floor]',
    async () => {
      const {failures, harmful} = await findFailures(corners, true);
      expect(failures).toEqual([]);
      expect(harmful).toBeGreaterThan(corners.length / 2);
    },
    LONG,
  );
});
