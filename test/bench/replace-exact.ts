import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {createTestKernel, readPlugin} from '@gemini-kernel/kernel/testing';
import {pluginRoot} from '../helpers/plugin-root.js';
import {comparePairs} from './compare-pairs.js';
import type {Bench} from './measure.js';

const HALF = 2.5 * 1024 * 1024;

/** Lines as long as code has them, no two the same. */
function linesFrom(first: number, size: number): string {
  const lines: string[] = [];
  for (let length = 0; length < size;) {
    const line = `  const value${first + lines.length} = compute(${lines.length % 97}, "the quick brown fox");\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join('');
}

export default {
  name: 'replace (exact) in a 5 MB file',
  target: {atMost: 2, of: 'reading and writing the same bytes'},
  async run() {
    // Its judge allows everything, so that the edit itself is measured and not the preview for a person.
    const allowing = await readPlugin(fileURLToPath(new URL('../../fixtures/noop', import.meta.url)));
    await using kernel = await createTestKernel({
      plugins: [...['settings', 'workspace', 'filesystem'].map(pluginRoot), allowing],
    });
    const [path, other] = [join(kernel.project, 'a.txt'), join(kernel.project, 'b.txt')];
    const [before, after] = [linesFrom(0, HALF), linesFrom(HALF, HALF)];
    const around = {before: linesFrom(-2, 1), after: linesFrom(-1, 1)};
    const place = (version: number): string => `${around.before}  return version(${version});\n${around.after}`;
    await Promise.all([path, other].map((file) => writeFile(file, before + place(0) + after)));
    let turn = 0;
    return await comparePairs({
      ours: async () => {
        const change = {old_string: place(turn), new_string: place(++turn)};
        const end = await kernel.call('replace', {file_path: path, instruction: 'bench', ...change});
        if (end.status !== 'done') throw new Error(`replace ${end.status}`);
      },
      // As safe on disk as ours: the bytes are flushed.
      theirs: async () => writeFile(other, await readFile(other), {flush: true}),
    });
  },
} satisfies Bench;
