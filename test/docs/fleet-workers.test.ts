import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeAll, expect, test} from '@jest/globals';
import {parse} from 'yaml';
import {checkout} from '../helpers/plugin-root.js';
import {readSteps} from './markdown-steps.js';

const files = new Map<string, string>();
beforeAll(async () => {
  for (const step of await readSteps(join(checkout, 'docs', 'fleet-workers.md')))
    if (step.kind === 'file') files.set(step.path, step.text);
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

(hasSystemd ? test : test.skip)('systemd takes the unit [fleet.workers] (needs systemd-analyze)', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gemini-unit-')), 'gemini-fleet.service');
  writeFileSync(file, files.get('gemini-fleet.service') ?? '');
  const {status, stderr} = spawnSync('systemd-analyze', ['verify', '--man=no', file], {encoding: 'utf8'});
  expect({status, stderr: stderr.split('\n').filter((line) => line.includes('gemini-fleet'))}).toEqual({
    ...{status: 0, stderr: []},
  });
});

test('each command of the examples has the flags that it is given [fleet.workers]', () => {
  const manifest = JSON.parse(readFileSync(join(checkout, 'plugins/fleet/oclif.manifest.json'), 'utf8')) as {
    readonly commands: Readonly<Record<string, {readonly flags: object}>>;
  };
  const known = Object.keys(manifest.commands['fleet:work']?.flags ?? {});
  const used = [...files.values()].flatMap((text) =>
    text.split('\n').flatMap((line) => (/fleet,? work/.test(line) ? [...line.matchAll(/--([a-z-]+)/g)] : [])),
  );
  expect(used.length).toBeGreaterThan(8);
  expect(used.flatMap(([, flag = '']) => (known.includes(flag) ? [] : [flag]))).toEqual([]);
});

test('the Job and the workflow have what their readers need [fleet.workers]', () => {
  const job = parse(files.get('gemini-fleet-job.yaml') ?? '') as Record<string, unknown>;
  expect(job).toMatchObject({
    ...{apiVersion: 'batch/v1', kind: 'Job', metadata: {name: 'gemini-fleet'}},
    spec: {
      ...{completionMode: 'Indexed', completions: 10, parallelism: 10},
      template: {spec: {restartPolicy: 'OnFailure', containers: [{name: 'worker', args: expect.any(Array)}]}},
    },
  });
  const flow = parse(files.get('fleet.yml') ?? '') as {jobs: {work: {strategy: {matrix: object}; steps: object[]}}};
  expect(flow.jobs.work.strategy.matrix).toEqual({worker: [1, 2, 3, 4, 5, 6, 7, 8]});
  expect(flow.jobs.work.steps).toHaveLength(1);
  expect(execFileSync('sh', ['-n', '-c', (flow.jobs.work.steps[0] as {run: string}).run]).toString()).toBe('');
});
