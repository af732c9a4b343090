import type {AST} from '@eslint-community/regexpp';
import {codePoints, type CodePoints} from '../pattern/code-points.js';
import {letterCases} from '../pattern/letter-cases.js';
import type {LinePattern} from '../pattern/line-pattern.js';

/** Shorter ones are found too often to spare anything. */
const SHORTEST = 3;
/** Longer ones find nothing sooner. */
const LONGEST = 100;
const MOST = 16;
/** A letter has four cases at most. */
const MOST_CHARACTERS = 4;
/** A repeated character counts so often at most. */
const MOST_TIMES = 4;

/** Of each of its places, the characters that may stand there: `['n', 'N']` where case does not count. */
export type Text = readonly (readonly string[])[];

/** Each of these stands for all others: a line that fits holds at least one of them. */
type OneOf = readonly Text[];

type WithCases = (points: CodePoints) => CodePoints;

/**
 * Texts of which every line that fits the pattern holds at least one, so that others need not be held against it;
 * undefined when none is known.
 */
export async function requiredTexts({
  given,
  isCaseSensitive,
  isLiteral,
  script,
}: LinePattern): Promise<OneOf | undefined> {
  if (isLiteral) {
    const runs = new Runs(isCaseSensitive ? same : letterCases());
    for (const letter of given) runs.add([onlyPoint(letter.codePointAt(0) ?? 0)]);
    return runs.best(1);
  }
  // Elsewhere the pattern itself names all cases of a letter.
  const runs = new Runs(script.flags.includes('i') ? letterCases() : same);
  const {RegExpParser} = await import('@eslint-community/regexpp');
  try {
    const parsed = new RegExpParser({ecmaVersion: 2025}).parsePattern(script.source, 0, script.source.length, {
      unicode: script.flags.includes('u'),
      unicodeSets: script.flags.includes('v'),
    });
    takeAlternatives(parsed.alternatives, runs);
  } catch (error) {
    // What is too deep or too new for the parser is searched for without a shortcut.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
  return runs.best();
}

function same(points: CodePoints): CodePoints {
  return points;
}

function onlyPoint(point: number): readonly [number, number] {
  return [point, point];
}

/** Collects what has to stand one after the other, and keeps the best of it. */
class Runs {
  readonly withCases: WithCases;
  #run: (readonly string[])[] = [];
  #best: OneOf | undefined;

  constructor(withCases: WithCases) {
    this.withCases = withCases;
  }

  /** Any of these characters comes next. */
  add(points: CodePoints): void {
    const characters = fewCharacters(points, this.withCases);
    if (characters === undefined || this.#run.length === LONGEST) this.end();
    if (characters !== undefined) this.#run.push(characters);
  }

  /** What comes next need not stand right behind. */
  end(): void {
    if (this.#run.length > 0) this.offer([this.#run]);
    this.#run = [];
  }

  offer(texts: OneOf): void {
    if (texts.length <= MOST && worth(texts) > worth(this.#best)) this.#best = texts;
  }

  best(shortest = SHORTEST): OneOf | undefined {
    this.end();
    return worth(this.#best) >= shortest ? this.#best : undefined;
  }
}

function worth(texts: OneOf | undefined): number {
  return texts ? Math.min(...texts.map((text) => text.length)) : 0;
}

/** All that may stand at a place; undefined for more than a few, and for halves of characters, which no bytes are. */
function fewCharacters(points: CodePoints, withCases: WithCases): readonly string[] | undefined {
  // Large sets are not asked for their cases.
  if (sizeOf(points) > MOST_CHARACTERS) return undefined;
  const cased = withCases(codePoints(points));
  const size = sizeOf(cased);
  if (size === 0 || size > MOST_CHARACTERS) return undefined;
  const characters = cased.flatMap(([first, last]) =>
    Array.from({length: last - first + 1}, (_, index) => String.fromCodePoint(first + index)),
  );
  return characters.some((character) => /[\ud800-\udfff]/u.test(character)) ? undefined : characters;
}

function sizeOf(points: CodePoints): number {
  return points.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function takeAlternatives(alternatives: readonly AST.Alternative[], runs: Runs): void {
  const [only] = alternatives;
  if (alternatives.length === 1 && only) {
    for (const element of only.elements) takeElement(element, runs);
    return;
  }
  runs.end();
  const all = alternatives.map(({elements}) => {
    const inner = new Runs(runs.withCases);
    for (const element of elements) takeElement(element, inner);
    return inner.best();
  });
  if (all.every((texts) => texts !== undefined)) runs.offer(all.flat());
}

function takeElement(element: AST.Element, runs: Runs): void {
  switch (element.type) {
    case 'Character':
      return runs.add([onlyPoint(element.value)]);
    case 'CharacterClass':
      return takeClass(element, runs);
    case 'CapturingGroup':
      return takeAlternatives(element.alternatives, runs);
    case 'Group':
      return element.modifiers ? runs.end() : takeAlternatives(element.alternatives, runs);
    case 'Quantifier':
      return takeRepeated(element, runs);
    case 'Assertion':
      // Takes no room: what stands around it stands together.
      return undefined;
    default:
      return runs.end();
  }
}

function takeClass({negate, elements}: AST.CharacterClass, runs: Runs): void {
  const points: (readonly [number, number])[] = [];
  for (const element of elements) {
    if (element.type === 'Character') points.push(onlyPoint(element.value));
    else if (element.type === 'CharacterClassRange') points.push([element.min.value, element.max.value]);
    else return runs.end();
  }
  return negate ? runs.end() : runs.add(points);
}

function takeRepeated({element, min, max}: AST.Quantifier, runs: Runs): void {
  // Groups in groups would be read again and again, so they count once.
  const isCharacter = element.type === 'Character' || element.type === 'CharacterClass';
  const times = Math.min(min, isCharacter ? MOST_TIMES : 1);
  for (let time = 0; time < times; time += 1) takeElement(element, runs);
  if (times !== max) runs.end();
}
