import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createTestKernel} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {comparePairs} from './compare-pairs.js';
import type {Bench} from './measure.js';

const SIZE = 20 * 1024 * 1024;

export default {
  name: 'read_file of a 20 MB file by line range',
  target: {atMost: 1.3, of: 'reading the file with fs.readFile'},
  async run() {
    await using kernel = await createTestKernel({
      confirm: 'yes',
      plugins: ['settings', 'workspace', 'filesystem'].map(pluginRoot),
    });
    const path = join(kernel.project, 'big.txt');
    const lines: string[] = [];
    for (let size = 0; size < SIZE;) {
      const line = `line ${lines.length} ${'abcdefghij'.repeat(lines.length % 14)}\n`;
      lines.push(line);
      size += line.length;
    }
    await writeFile(path, lines.join(''));
    const middle = Math.floor(lines.length / 2);
    return await comparePairs({
      ours: async () => {
        const end = await kernel.call('read_file', {file_path: path, start_line: middle, end_line: middle + 100});
        if (end.status !== 'done') throw new Error(`read_file ${end.status}`);
      },
      theirs: () => readFile(path),
    });
  },
} satisfies Bench;
