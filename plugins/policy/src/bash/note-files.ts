import type {FileUse} from './analysis.js';
import {resolveShapes} from './directories.js';
import {expandWord, type Argument} from './expand-word.js';
import {shapeOf} from './shape.js';
import type {Formed, ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

/** How a file is used. */
export interface Use extends Pick<FileUse, 'access' | 'by'> {
  readonly position: Position;
}

const LONGEST = 1_024;
/** A hole at the beginning of a name may be an address, and a name. */
const ADDRESS = /^[a-z][\w+.-]*:\/\//;

/** Notes every file that a word may name. */
export function noteFiles(walk: Walk, word: Formed & Pick<ShellWord, 'raw'>, use: Use): void {
  noteArgument(walk, word.raw, expandWord(walk, word, use.position), use);
}

/** Notes every file that an argument may name. */
export function noteArgument(walk: Walk, raw: string, {shapes, isSplit}: Argument, {position, access, by}: Use): void {
  for (const shape of shapes) {
    if (
      by === 'argument' &&
      (shape === '' || shape === '-' || shape.length > LONGEST || shape.includes('\n') || ADDRESS.test(shape))
    )
      continue;
    for (const path of resolveShapes(shape, position.directories, walk.place))
      walk.files.push({raw, path, access, by, isSplit});
  }
}

/** Notes a file that the line does not name: what a program reads or writes of its own accord. */
export function noteImplied(walk: Walk, name: string, use: Use): void {
  noteArgument(walk, name, {shapes: [shapeOf(name)], isMany: false, isSplit: false}, use);
}
