import {spawn} from 'node:child_process';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from '@jest/globals';
import {checkout} from '../../../helpers/plugin-root.js';
import {isolate} from '../../../helpers/run-gemini.js';
import {makeInstallScene, verifyHere, type InstallScene} from './scene.js';

/** Many more with --long. */
const KILLS = process.env['FUZZ_RUNS'] === undefined ? 4 : 60;

/** Starts the program and kills it after some milliseconds, if it is not done by then. */
async function killAfter(scene: InstallScene, words: readonly string[], milliseconds: number): Promise<void> {
  const child = spawn(process.execPath, [join(checkout, 'bin', 'gemini.cjs'), ...words], {
    cwd: scene.project,
    env: isolate(scene.home, scene.variables),
    stdio: 'ignore',
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const stop = new AbortController();
  await Promise.race([
    closed,
    pause(milliseconds, undefined, {signal: stop.signal}).then(
      () => child.kill('SIGKILL'),
      () => false,
    ),
  ]);
  stop.abort();
  await closed;
}

test(
  'an installation and an update that are killed at any moment leave the old state or the new one, whole',
  async () => {
    await using scene = await makeInstallScene();
    for (const version of ['1.0.0', '2.0.0'])
      scene.registry.publish({
        name: 'hello',
        version,
        files: Object.fromEntries(
          Array.from({length: 40}, (_, index) => [`lib/${index}.js`, `export const x = '${version}';\n`]),
        ),
      });
    await scene.gemini('plugins', 'install', 'hello@1.0.0', '--yes');
    const began = performance.now();
    await scene.gemini('plugins', 'install', 'hello@2.0.0', '--yes');
    const whole = performance.now() - began;
    for (let run = 0; run < KILLS; run += 1) {
      const version = run % 2 === 0 ? '1.0.0' : '2.0.0';
      await killAfter(
        scene,
        ['plugins', 'install', `hello@${version}`, '--yes'],
        whole * (0.35 + 0.75 * Math.random()),
      );
      const found = await verifyHere(scene);
      expect([{'hello 1.0.0': []}, {'hello 2.0.0': []}]).toContainEqual(found);
    }
    expect(await scene.gemini('plugins', 'verify')).toMatchObject({code: 0, stderr: ''});
    expect(await scene.gemini('plugins', 'install', 'hello@1.0.0', '--yes')).toMatchObject({code: 0, stderr: ''});
    expect(await scene.gemini('tools', 'call', 'hello_echo', '--approval-mode', 'yolo')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('hello 1.0.0'),
    });
    expect((await readdir(scene.store)).filter((name) => name.startsWith('.staging'))).toEqual([]);
    expect((await readdir(scene.data)).filter((name) => name.includes('.new'))).toEqual([]);
  },
  30_000 + KILLS * 4000,
);
