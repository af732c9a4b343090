import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {runGit} from '@gemini-kernel/files/sources';
import {makeFolder} from '../../helpers/make-plugin.js';
import {onPosix} from '../../helpers/where.js';

onPosix('a relative folder of PATH does not find a program in what was fetched [install.programs]', async () => {
  await using root = await makeFolder();
  const [folder, bin] = [join(root.path, 'fetched'), join(root.path, 'bin')];
  const trap = join(root.path, 'ran');
  for (const [where, text] of [
    [folder, `#!/bin/sh\ntouch ${trap}\n`],
    [bin, '#!/bin/sh\necho real\n'],
  ] as const) {
    await mkdir(where);
    await writeFile(join(where, 'git'), text);
    await chmod(join(where, 'git'), 0o755);
  }
  const before = process.cwd();
  process.chdir(folder);
  try {
    const {stdout} = await runGit(['status'], {
      folder,
      platform: process.platform,
      variables: {PATH: `.::${bin}`},
      signal: new AbortController().signal,
      missing: (name) => new Error(name),
    });
    expect(stdout).toBe('real\n');
  } finally {
    process.chdir(before);
  }
  await expect(readFile(trap)).rejects.toThrow('ENOENT');
});
