import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {comparePairs} from './compare-pairs.js';
import type {Bench} from './measure.js';

const LINE = 'The quick brown fox jumps over the lazy dog, again and again.\n';

export default {
  name: 'replace (exact) in a 5 MB file',
  target: {atMost: 2, of: 'reading and writing the same bytes'},
  async run() {
    await using kernel = await createTestKernel({confirm: 'yes', plugins: ['settings', 'workspace', 'filesystem'].map(pluginRoot)});
    const [path, other] = [join(kernel.project, 'a.txt'), join(kernel.project, 'b.txt')];
    const half = LINE.repeat((2.5 * 1024 * 1024) / LINE.length);
    await Promise.all([path, other].map((file) => writeFile(file, `${half}marker 0\n${half}`)));
    let turn = 0;
    return await comparePairs({
      ours: async () => {
        const change = {old_string: `marker ${turn}\n`, new_string: `marker ${++turn}\n`};
        const end = await kernel.call('replace', {file_path: path, instruction: 'bench', ...change});
        if (end.status !== 'done') throw new Error(`replace ${end.status}`);
      },
      // As safe on disk as ours: the bytes are flushed.
      theirs: async () => writeFile(other, await readFile(other), {flush: true}),
    });
  },
} satisfies Bench;
