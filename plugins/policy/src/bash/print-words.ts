import type {Argument} from './expand-word.js';
import type {Printed} from './printed.js';
import {ANY, shapeOf, unique} from './shape.js';
import type {ShellWord} from './syntax.js';

interface Words {
  readonly words: readonly ShellWord[];
  readonly args: readonly Argument[];
}

/** `echo`: its words, with blanks between them. */
export function echo({words, args}: Words): Printed {
  const from = words.findIndex(({value}) => value !== '-n');
  if (words[from]?.lead.startsWith('-')) return {shapes: [ANY], isOne: true};
  const parts = from < 0 ? [] : args.slice(from);
  const isOne = parts.every(({isMany}) => !isMany);
  if (!isOne) return {shapes: unique(parts.flatMap(({shapes}) => shapes)), isOne};
  return {
    shapes: parts.reduce<readonly string[]>(
      (heads, {shapes}, index) =>
        unique(heads.flatMap((head) => shapes.map((shape) => (index === 0 ? shape : `${head} ${shape}`)))),
      [''],
    ),
    isOne,
  };
}

/** `printf`, for the plainest formats. */
export function print({words, args}: Words): Printed {
  const format = words[0]?.value ?? '%';
  if (/^%s(?:\\n|\\0)?$/.test(format))
    return {shapes: unique(args.slice(1).flatMap(({shapes}) => shapes)), isOne: args.length === 2 && !args[1]?.isMany};
  return /[%\\]/.test(format) ? {shapes: [ANY], isOne: true} : {shapes: [shapeOf(format)], isOne: true};
}
