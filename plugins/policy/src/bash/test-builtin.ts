import {noteUse} from './flow.js';
import {looksInside} from './note-name.js';
import type {ShellWord} from './syntax.js';
import {joinWords, type Handler, type Walk} from './walk.js';

const UNARY = /^-[a-uw-zGLNOS]$/;
const BINARY = /^(?:=|==|!=|=~|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/;

/** `test` and `[`: `-v` looks into brackets, and an unknown word could be `-v`. */
export const test: Handler = (walk, words) => {
  const operands = words.slice(1, words[0]?.value === '[' ? -1 : undefined);
  const text = joinWords(words);
  operands.forEach((word, index) => {
    const before = operands[index - 1]?.value ?? '';
    if (/^-[vR]$/.test(before)) noteNamed(walk, word, text);
    if (word.value === undefined && (word.splits || !isPlaced(operands, index)))
      noteUse(walk.flow, 'plain', word, {
        kind: 'dynamic',
        reason: 'Whether a word is an operator is decided while it runs.',
        text,
        showsFiles: true,
      });
  });
};

function noteNamed(walk: Walk, word: ShellWord, text: string): void {
  if (word.value !== undefined && !looksInside(word.value)) return;
  noteUse(
    walk.flow,
    'number',
    {...word, isOpen: word.isOpen || looksInside(word.raw)},
    {kind: 'dynamic', reason: 'What is between the brackets is run.', text},
  );
}

/** Whether the words around one say that it is no operator. */
function isPlaced(operands: readonly ShellWord[], index: number): boolean {
  const [before, after] = [operands[index - 1]?.value ?? '', operands[index + 1]?.value ?? ''];
  return operands.length === 1 || BINARY.test(before) || BINARY.test(after) || UNARY.test(before);
}
