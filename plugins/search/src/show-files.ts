import {withContext, type ContextLine, type ContextOptions} from './context-lines.js';
import type {FileMatches} from './engine/engine.js';
import {fewAtATime} from './few-at-a-time.js';

/** A file with what is shown of it. */
export interface ShownFile {
  readonly path: string;
  readonly lines: readonly ContextLine[];
  /** The file changed before the lines around its matches could be read. */
  readonly isChanged?: boolean;
  /** The lines around its matches are left out, because there are too many. */
  readonly isBare?: boolean;
}

/** So many lines are shown at most, in all files together. */
export const MOST_LINES = 20_000;

/** Each of them may hold as many lines as are shown in all. */
const READ_AT_ONCE = 4;

/** Files with the lines around their matches, up to the first file with which they are too many. */
export async function showFiles(
  files: readonly FileMatches[],
  options: Omit<ContextOptions, 'most'>,
): Promise<readonly ShownFile[]> {
  if (options.before + options.after === 0) return files.map((file) => ({path: file.path, lines: alone(file)}));
  const shown: ShownFile[] = [];
  let left = MOST_LINES - files.reduce((sum, {lines}) => sum + lines.length, 0);
  for (let at = 0; at < files.length && left > 0; at += READ_AT_ONCE) {
    const next = files.slice(at, at + READ_AT_ONCE);
    const most = left;
    const read = await fewAtATime(next, READ_AT_ONCE, (file) =>
      withContext(file.path, file.lines, {...options, most: most + file.lines.length}),
    );
    for (const [index, file] of next.entries()) {
      const around = read[index] ?? 'changed';
      const one = left > 0 ? showOne(file, around, left) : bare(file);
      left = one.isBare ? 0 : left - (one.lines.length - file.lines.length);
      shown.push(one);
    }
  }
  return [...shown, ...files.slice(shown.length).map(bare)];
}

function showOne(file: FileMatches, around: readonly ContextLine[] | 'too many' | 'changed', left: number): ShownFile {
  if (around === 'changed') return {path: file.path, lines: alone(file), isChanged: true};
  return around === 'too many' || around.length - file.lines.length > left
    ? bare(file)
    : {path: file.path, lines: around};
}

function bare(file: FileMatches): ShownFile {
  return {path: file.path, lines: alone(file), isBare: true};
}

function alone({lines}: FileMatches): readonly ContextLine[] {
  return lines.map((line) => ({...line, isMatch: true}));
}
