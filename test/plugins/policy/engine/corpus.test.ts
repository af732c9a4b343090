import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {parse} from 'smol-toml';
import {checkout} from '../../../helpers/plugin-root.js';
import {Engine, here, makeLine, makeRule, world} from './make.js';

const folder = join(checkout, 'test', 'plugins', 'policy', 'bash', 'corpus');
const tools = ['run_shell_command'];
const rules = [
  makeRule({tools, decision: 'allow', command: {prefix: 'git'}}),
  makeRule({tools, decision: 'allow', command: {prefix: 'ls'}}),
  makeRule({tools, decision: 'deny', command: {prefix: 'rm'}}),
];

// The decisions themselves are held against a real bash in ../bash.
test.each(await readdir(folder))(
  'the engine with a policy that allows git and ls and denies rm decides every line of %s as the corpus says ' +
    '[policy.corpus]',
  async (file) => {
    const engine = new Engine({rules}, {...world, home: '/work'});
    const {line: lines} = parse(await readFile(join(folder, file), 'utf8')) as unknown as {
      readonly line: readonly {readonly line: string; readonly decision: string}[];
    };
    const decided = await Promise.all(
      lines.map(async ({line}) => ({line, decision: (await engine.judge(makeLine(line), here)).decision})),
    );
    expect(decided).toEqual(lines.map(({line, decision}) => ({line, decision})));
  },
);
