import {resolveShapes} from './directories.js';
import {expandWord} from './expand-word.js';
import {noteArgument} from './note-files.js';
import {baseOfShape, isOpen, TREE} from './shape.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';

interface Placing {
  readonly folder: ShellWord;
  readonly position: Position;
}

/** What is copied or moved into a folder has its own name there, and so has what is below it. */
export function notePlaced(walk: Walk, sources: readonly ShellWord[], {folder, position}: Placing): void {
  const target = expandWord(walk, folder, position);
  const targets = target.shapes.flatMap((shape) => resolveShapes(shape, position.directories, walk.place));
  for (const source of sources) {
    for (const shape of expandWord(walk, source, position).shapes) {
      noteArgument(
        walk,
        folder.raw,
        {...target, shapes: isOpen(shape) ? [] : target.shapes.map((one) => `${one}/${baseOfShape(shape)}`)},
        {position, access: 'write', by: 'argument'},
      );
      for (const path of targets)
        for (const from of resolveShapes(shape, position.directories, walk.place))
          noteNamedAfter(walk, folder.raw, {path, from});
    }
  }
}

/** A file in a folder, and all below one, have their names from others: where these are known, so are those. */
function noteNamedAfter(walk: Walk, raw: string, {path, from}: {path: string; from: string}): void {
  const use = {raw, access: 'write', by: 'argument', isSplit: false, isLate: walk.changes} as const;
  const parent = from.slice(0, Math.max(0, from.lastIndexOf('/')));
  const isPlaced = !isOpen(parent);
  if (isOpen(from))
    walk.files.push(
      isPlaced ? {...use, path, from: {shape: from, folder: parent}} : {...use, path: `${path}/${baseOfShape(from)}`},
    );
  if (!isPlaced || isOpen(from)) return;
  walk.files.push(
    {...use, path, from: {shape: `${from}/${TREE}`, folder: parent}},
    {...use, path, from: {shape: `${from}/${TREE}`, folder: from}},
  );
}
