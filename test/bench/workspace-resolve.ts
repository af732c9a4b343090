import {mkdir, mkdtemp, realpath, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {pluginRoot} from '../helpers/plugin-root.js';
import {comparePairs} from './compare-pairs.js';
import type {Bench} from './measure.js';

const ROOTS = 100;
const DEPTH = 10;
const LOOKS = 500;

/** The workspace check of a path 10 deep with 100 roots, against the bare `realpath` of the same path. */
export const workspaceResolve: Bench = {
  name: 'workspace check of a path 10 deep with 100 roots',
  target: {atMost: 1.5, of: 'bare realpath'},
  async run() {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-bench-')));
    const roots = Array.from({length: ROOTS - 1}, (_, index) => join(root, `root${index}`));
    // The path lies in the last root, which a loop over them would find last.
    const path = join(
      roots.at(-1) ?? root,
      ...Array.from({length: DEPTH - 1}, (_, index) => `folder${index}`),
      'file.txt',
    );
    await Promise.all(roots.map((one) => mkdir(one)));
    await mkdir(dirname(path), {recursive: true});
    await writeFile(path, '');
    try {
      await using kernel = await createTestKernel({
        plugins: [pluginRoot('settings'), pluginRoot('workspace')],
        flags: {'context.includeDirectories': roots},
      });
      const workspace = await kernel.service('workspace');
      const repeat = async (look: (path: string) => Promise<unknown>): Promise<void> => {
        for (let index = 0; index < LOOKS; index += 1) await look(path);
      };
      return await comparePairs({
        ours: () => repeat((one) => workspace.resolve(one)),
        theirs: () => repeat((one) => realpath(one)),
      });
    } finally {
      await rm(root, {recursive: true, force: true});
    }
  },
};
