import {execFile} from 'node:child_process';
import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {checkout} from '../../../helpers/plugin-root.js';
import {isolate} from '../../../helpers/run-gemini.js';
import {canBeManaged} from '../../../helpers/run-managed.js';
import {makeInstallScene} from './scene.js';
import {where} from '../../../helpers/where.js';

test('a store that cannot be written is reported, and what is installed stays', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'hello', version: '1.0.0'});
  await mkdir(scene.data, {recursive: true});
  await writeFile(scene.store, 'in the way');
  const {code, stderr} = await scene.gemini('plugins', 'install', 'hello', '--yes');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Error: Cannot write to .*store: a directory was expected, but it is a file\.\nInstalled plugins are unchanged\./,
    ),
  ]);
});

/** Where a test may mount a small disk of its own. */
const withMounts = where(canBeManaged, 'a mount namespace');

withMounts('a full disk is reported, nothing is left half written, and the plugin before it still loads', async () => {
  await using scene = await makeInstallScene();
  scene.registry.publish({name: 'hello', version: '1.0.0'});
  scene.registry.publish({name: 'hello', version: '2.0.0', files: {'big.js': 'x'.repeat(3_000_000)}});
  await mkdir(scene.data, {recursive: true});
  const gemini = `"${process.execPath}" "${join(checkout, 'bin', 'gemini.cjs')}"`;
  const lines = [
    `mount -t tmpfs -o size=2m none "${scene.data}"`,
    `${gemini} plugins install hello@1.0.0 --yes`,
    `${gemini} plugins install hello@2.0.0 --yes`,
    'echo "ended $?"',
    `${gemini} plugins verify`,
    `ls -A "${scene.store}"`,
  ];
  const {stdout, stderr} = await new Promise<{readonly stdout: string; readonly stderr: string}>((resolve) => {
    execFile(
      'unshare',
      ['--mount', '--map-root-user', 'sh', '-c', lines.join('\n')],
      {cwd: scene.project, env: isolate(scene.home, scene.variables)},
      (_, out, err) => resolve({stdout: out, stderr: err}),
    );
  });
  expect(stderr).toMatch(
    /^Error: Cannot write to .*store: no space is left on the device\.\nInstalled plugins are unchanged\. Free some space/,
  );
  expect(stdout).toMatch(/ended 1\nas locked {2}hello 1\.0\.0\n\.locks\.json\nhello@1\.0\.0-[0-9a-f]{16}\n$/);
});
