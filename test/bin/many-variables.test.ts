import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from '@jest/globals';
import {checkout} from '../helpers/plugin-root.js';

const SCRIPT = `
  const {settleManyVariables} = require(process.argv[1]);
  const timeOf = (times) => {
    const began = performance.now();
    for (let turn = 0; turn < times; turn += 1) Object.entries(process.env);
    return performance.now() - began;
  };
  const before = timeOf(1);
  const given = JSON.stringify(process.env);
  settleManyVariables();
  const isSame = JSON.stringify(process.env) === given;
  process.env.NEW = 'x';
  delete process.env.NAME_1;
  const {stdout} = require('node:child_process').spawnSync('/usr/bin/env', {encoding: 'utf8'});
  const passed = stdout.split('\\n').filter((line) => /^(NEW=x|NAME_[12]=.*)$/.test(line)).sort();
  console.log(JSON.stringify({isSame, passed, ratio: timeOf(20) / before}));
`;

async function settle(count: number): Promise<{isSame: boolean; passed: readonly string[]; ratio: number}> {
  const odd = {EMPTY: '', 'WITH=SIGN': 'a=b', LINES: 'a\nb', LETTERS: 'äöü €'};
  const many = Object.fromEntries(Array.from({length: count}, (_, index) => [`NAME_${index}`, `value ${index}`]));
  const {stdout} = await promisify(execFile)(
    process.execPath,
    ['-e', SCRIPT, join(checkout, 'bin', 'many-variables.cjs')],
    {env: {...odd, ...many}},
  );
  return JSON.parse(stdout) as Awaited<ReturnType<typeof settle>>;
}

test('many variables are the same, and read in time by their number [env.many]', async () => {
  const {isSame, passed, ratio} = await settle(6000);
  expect({isSame, passed}).toEqual({isSame: true, passed: ['NAME_2=value 2', 'NEW=x']});
  // Twenty times all of them take less than once before.
  if (process.platform === 'linux') expect(ratio).toBeLessThan(1);
});

test('few variables are left as they are [env.many]', async () => {
  expect(await settle(10)).toMatchObject({isSame: true, passed: ['NAME_2=value 2', 'NEW=x']});
});
