import {execFile} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, beforeEach, expect} from '@jest/globals';
import {checkout} from '../../helpers/plugin-root.js';
import {testConfined} from './open-sandbox.js';

/** Not in a folder for temporary files, which a command sees empty. */
let folder = '';
let project = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(process.getuid?.() === 0 ? '/opt' : '/dev/shm', 'gemini-askers-')));
  project = join(folder, 'project');
  mkdirSync(project);
});
afterEach(() => rmSync(folder, {recursive: true}));

interface Ran {
  readonly printed: string;
  readonly code: number;
  readonly asked: readonly {readonly path: string}[];
}

async function runWatched(lines: readonly string[]): Promise<Ran> {
  const program = join(checkout, 'test/plugins/sandbox/watched-program.mjs');
  const {stdout} = await promisify(execFile)(process.execPath, [program, project, lines.join('\n')]);
  return JSON.parse(stdout) as Ran;
}

const NEWEST = 'grep -lx gemini-start /proc/[0-9]*/comm | cut -d/ -f3 | sort -n | tail -1';

testConfined('a call continues when the process that asks about it was ended [sandbox.paths]', async () => {
  writeFileSync(join(folder, 'held'), 'old');
  const end = `(until [ -e asked ]; do sleep 0.02; done; kill -9 $(${NEWEST})) &`;
  const call = `echo new > ${folder}/held || echo refused`;
  const ran = await runWatched([end, call, 'wait', `mkdir ${folder}/made && echo made`]);
  expect(ran).toEqual({
    printed: 'refused\nmade\n',
    code: 0,
    asked: [{path: join(folder, 'held')}, {path: folder, name: 'made'}],
  });
  expect(readFileSync(join(folder, 'held'), 'utf8')).toBe('old');
});

testConfined('more calls at once than can ask all end, and a later one still asks [sandbox.paths]', async () => {
  for (let index = 0; index < 150; index++) writeFileSync(join(folder, `file-${index}`), 'old');
  writeFileSync(join(folder, 'last'), 'old');
  const all = `for i in $(seq 0 149); do (echo new > ${folder}/file-$i) 2>/dev/null & done; wait`;
  const {printed, code, asked} = await runWatched([all, `echo new > ${folder}/last; cat ${folder}/last`]);
  expect({printed, code, last: asked.at(-1)}).toEqual({printed: 'new\n', code: 0, last: {path: join(folder, 'last')}});
  expect(asked.length).toBeGreaterThan(1);
});
