import {expandWord} from './expand-word.js';
import {noteFiles} from './note-files.js';
import {noteBelow, type Handed} from './operands.js';
import {ANY, TREE, VISIBLE} from './shape.js';
import {cutWord, plainWord} from './source.js';
import type {ShellWord} from './syntax.js';
import type {Position, Walk} from './walk.js';
import {DESCENDING, UNPACKERS} from './writers.js';

/** Programs that go through all that is below a folder, which they read, remove, or change. */
export function noteDescent(
  walk: Walk,
  words: readonly ShellWord[],
  {name, position, files}: Handed & {readonly files: readonly ShellWord[]},
): void {
  const descending = Object.hasOwn(DESCENDING, name) ? DESCENDING[name] : undefined;
  if (!descending || !words.some(({value, lead}, index) => index > 0 && descending.when.test(value ?? lead))) return;
  const isShown = !descending.shows || words.some(({value, lead}) => descending.shows?.test(value ?? lead));
  const below = [isShown ? TREE : VISIBLE];
  const {access} = descending;
  for (const word of files)
    noteBelow(walk, {word, argument: expandWord(walk, word, position)}, {position, below, access});
  if (files.length === 0 && descending.here)
    noteBelow(
      walk,
      {word: plainWord('.'), argument: {shapes: ['.'], isMany: false, isSplit: false}},
      {position, below, access},
    );
}

/** Programs that unpack: what they write is written in an archive. */
export function noteUnpacked(walk: Walk, words: readonly ShellWord[], {name, position}: Handed): void {
  const unpacker = Object.hasOwn(UNPACKERS, name) ? UNPACKERS[name] : undefined;
  const given = words.slice(1);
  const has = (pattern: RegExp): boolean => given.some(({value, lead}) => pattern.test(value ?? lead));
  if (!unpacker || !has(unpacker.when) || (unpacker.unless && has(unpacker.unless))) return;
  const at = given.findIndex(({lead}) =>
    unpacker.folder.some((option) => lead === option || (lead.startsWith(option) && /^--\w+=|^-\w/.test(lead))),
  );
  const option = given[at];
  const isNext = unpacker.folder.includes(option?.value ?? '');
  const folder = isNext
    ? given[at + 1]
    : option && cutWord(option, option.lead.startsWith('--') ? option.lead.indexOf('=') + 1 : 2);
  const word = folder ?? plainWord('.');
  noteBelow(walk, {word, argument: expandWord(walk, word, position)}, {position, below: [ANY], access: 'write'});
}

/** `tar cfz out.tgz`, `tar -czfout.tgz`: letters in one word, of which `f` names the archive. */
export function noteArchive(walk: Walk, [, first, second]: readonly ShellWord[], position: Position): void {
  if (first && second && /^[A-Za-z]*f[A-Za-z]*$/.test(first.lead))
    noteFiles(walk, second, {position, access: 'write', by: 'argument'});
  const at = /^-[A-Za-z]*?f/.exec(first?.lead ?? '')?.[0].length;
  if (first && at !== undefined && first.form.length > at)
    noteFiles(walk, cutWord(first, at), {position, access: 'write', by: 'argument'});
}
