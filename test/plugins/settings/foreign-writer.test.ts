import {chmod, chown, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from '@jest/globals';
import {runGemini} from '../../helpers/run-gemini.js';
import {createScene} from './scene.js';

const asRoot = process.getuid?.() === 0 ? test : test.failing;

asRoot.each(['settings.json', 'trustedFolders.json'])(
  'a %s that others may write is not obeyed, named, and repaired by the command that is said [files.writers]',
  async (name) => {
    await using scene = await createScene();
    const folder = join(scene.home, '.gemini');
    const file = join(folder, name);
    await mkdir(folder, {recursive: true});
    await writeFile(file, '{}');
    const run = (): ReturnType<typeof runGemini> =>
      runGemini(['trust', 'list'], {cwd: scene.home, home: scene.home, variables: {GEMINI_CLI_TRUST_WORKSPACE: ''}});
    expect(await run()).toMatchObject({code: 0, stderr: ''});
    await chmod(file, 0o666);
    expect(await run()).toMatchObject({
      code: 52,
      stderr:
        `Error: ${file} is not obeyed: it can be written by everyone.\nLook at what it says, then run: chmod o-w ` +
        `${file}\n`,
    });
    await chmod(file, 0o644);
    await chmod(folder, 0o777);
    expect(await run()).toMatchObject({
      code: 52,
      stderr: expect.stringContaining(
        `${file} is not obeyed: ${folder} is above it, and it can be written by everyone.`,
      ),
    });
    await chmod(folder, 0o755);
    await chown(file, 4321, 4321);
    expect(await run()).toMatchObject({
      code: 52,
      stderr: expect.stringContaining('it is owned by another user (4321)'),
    });
    const json = await runGemini(['trust', 'list', '--json'], {
      cwd: scene.home,
      home: scene.home,
      variables: {GEMINI_CLI_TRUST_WORKSPACE: ''},
    });
    expect(JSON.parse(json.stdout)).toMatchObject({error: {code: 'SETTINGS_UNSAFE', exit: 52}});
    await chown(file, 0, 0);
    expect(await run()).toMatchObject({code: 0, stderr: ''});
  },
);
