import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

export const FILES = 200_000;
export const FOLDERS = 20_000;
/** Stands in one file of 5,000. */
export const NEEDLE = 'needleInHaystack';

const PARTS = ['a', 'b', 'c'];
const ENDINGS = ['ts', 'ts', 'js', 'json', 'md', 'css', 'py', 'txt', 'tsx', 'yml'];
const WORDS = 2000;
/** Below the first so many folders there are others. */
const INNER_FOLDERS = 4000;

/** Writes 200,000 files in 20,000 folders below three, the same ones each time, and gives the three. */
export function makeSearchTree(root: string): readonly string[] {
  const next = numbers(42);
  const parts = PARTS.map((name) => join(root, name));
  const folders = [...parts];
  for (const folder of parts) mkdirSync(folder, {recursive: true});
  while (folders.length < FOLDERS) {
    const folder = join(folders[next(Math.min(folders.length, INNER_FOLDERS))] ?? root, `d${folders.length}`);
    mkdirSync(folder);
    folders.push(folder);
  }
  const word = (): string => `w${next(WORDS).toString(36)}or`;
  for (let index = 0; index < FILES; index += 1) {
    const lines = Array.from({length: 10 + next(60)}, () => `const ${word()} = ${word()}(${word()});\n`);
    if (index % 5000 === 7) lines.push(`${NEEDLE} here\n`);
    writeFileSync(
      join(folders[index % FOLDERS] ?? root, `f${index}.${ENDINGS[index % ENDINGS.length]}`),
      lines.join(''),
    );
  }
  return parts;
}

/** Numbers below a bound that look random and are the same each time. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * bound);
  };
}
