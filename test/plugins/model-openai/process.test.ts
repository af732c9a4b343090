import {expect, test} from '@jest/globals';
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {checkout} from '../../helpers/plugin-root.js';

test('in a process of its own the provider keeps the same promises, prints nothing and lets the process end', () => {
  const script = join(checkout, 'test', 'dist', 'helpers', 'run-model-suite.js');
  const {status, stdout, stderr} = spawnSync(process.execPath, [script, 'openai'], {
    encoding: 'utf8',
    env: {...process.env, GEMINI_API_KEY: 'one', GOOGLE_API_KEY: 'another', GOOGLE_CLOUD_PROJECT: 'p'},
    timeout: 30_000,
  });
  expect({status, report: JSON.parse(stdout) as unknown, stderr}).toEqual({
    status: 0,
    report: {passed: true, failed: [], faults: [], warnings: []},
    stderr: '',
  });
});
