import {skipLines} from './read-script.js';
import {readWord, type WordPlace} from './read-word.js';
import {fail, isMeta, peek, type Source} from './source.js';
import type {CompoundBody, ShellWord} from './syntax.js';

const NUMERIC = /^-(?:eq|ne|lt|le|gt|ge)$/;

/** Reads what stands behind `[[`, up to and with `]]`. */
export function readTest(source: Source): CompoundBody {
  const words: ShellWord[] = [];
  source.isBashOnly = true;
  for (;;) {
    skipLines(source);
    const place = placeBehind(words);
    if (place === 'command' && skipOperator(source)) continue;
    if (isMeta(peek(source)) && !(place !== 'command' && peek(source) === '(')) fail(source, '`]]` is missing.');
    const word = readWord(source, place);
    if (word.raw === ']]') break;
    words.push(word);
  }
  noteTest(source, words);
  return {kind: 'test', words, bodies: []};
}

/** What the next word may hold: behind an operator that compares, it is a pattern. */
function placeBehind(words: readonly ShellWord[]): WordPlace {
  const last = words.at(-1);
  const isOperator = last !== undefined && !last.isQuoted && /^(?:=~|==?|!=)$/.test(last.raw) && words.length > 1;
  if (!isOperator) return 'command';
  return last.raw === '=~' ? 'regex' : 'pattern';
}

/** Goes behind what joins or compares the words of a test; false where a word begins. */
function skipOperator(source: Source): boolean {
  const next = source.text.slice(source.at, source.at + 2);
  if (!/^(?:&&|\|\||[()<>])/.test(next) || /^[<>]\(/.test(next)) return false;
  source.at += /^[&|]/.test(peek(source)) ? 2 : 1;
  return true;
}

/** What is compared as numbers is computed, and what `-v` names is looked up, brackets and all. */
function noteTest(source: Source, words: readonly ShellWord[]): void {
  words.forEach((word, index) => {
    if (isComputed(words, index) || /^-[vR]$/.test(words[index - 1]?.raw ?? ''))
      source.arithmetic.push({
        text: word.raw,
        names: word.raw.match(/[A-Za-z_]\w*/g) ?? [],
        isOpen: word.isOpen || /[`[]/.test(word.value ?? word.raw),
        scripts: word.scripts,
      });
  });
}

function isComputed(words: readonly ShellWord[], index: number): boolean {
  const [before, after] = [words[index - 1]?.raw ?? '', words[index + 1]?.raw ?? ''];
  return NUMERIC.test(after) || (NUMERIC.test(before) && index > 1);
}
