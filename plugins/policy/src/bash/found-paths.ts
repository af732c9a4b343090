import type {Argument} from './expand-word.js';
import {shapeOf, TREE, unique} from './shape.js';
import type {ShellWord} from './syntax.js';

/** The paths that `find` comes by, by their first names and by the test of their last. */
export function foundPaths(words: readonly ShellWord[], args: readonly Argument[]): readonly string[] {
  const isStart = words.map(({lead}) => /^[^-(!]/.test(lead));
  const end = isStart.indexOf(false);
  const starts = args.slice(0, end < 0 ? args.length : end).flatMap(({shapes}) => shapes);
  const isPlain = words.every(
    ({value}) =>
      value !== '-o' && value !== '-or' && value !== ',' && value !== '!' && value !== '-not' && value !== '(',
  );
  const at = words.findIndex(({value}) => value === '-name');
  const name = isPlain && at >= 0 ? words[at + 1]?.value : undefined;
  const last = name === undefined || /[[\\]/.test(name) ? '' : shapeOf(name).replaceAll(/[*?]+/g, TREE);
  return unique(
    (starts.length > 0 ? starts : ['.']).flatMap((start) =>
      last === '' ? [start, `${start}/${TREE}`] : [`${start}/${TREE}${last.replace(/^\uE004+/, '')}`],
    ),
  );
}
