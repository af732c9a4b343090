import type {FileUse} from './analysis.js';
import {resolveShapes} from './directories.js';
import {expandWord, type Argument} from './expand-word.js';
import {ANY, baseOfShape} from './shape.js';
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
    if (by === 'argument' && isNoFile(shape)) continue;
    const use = {raw, access, by, isSplit, isLate: walk.changes || (walk.makesFolders && shape.includes(ANY))};
    for (const path of resolveShapes(shape, position.directories, walk.place)) walk.files.push({...use, path});
    // Behind a link that the line itself makes, a path may lead anywhere.
    if (walk.makesLinks && by !== 'name') walk.files.push({...use, path: `${ANY}/${baseOfShape(shape)}`});
  }
}

function isNoFile(shape: string): boolean {
  return shape === '' || shape === '-' || shape.length > LONGEST || shape.includes('\n') || ADDRESS.test(shape);
}
