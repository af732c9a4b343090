import type {AST} from '@eslint-community/regexpp';
import {allBut, codePoints, without, type CodePoints} from './code-points.js';

export interface Property {
  readonly key: string;
  /** Null for a property that is only there or not. */
  readonly value: string | null;
  readonly isNegated: boolean;
}

/** The characters that one place of a pattern stands for. */
export interface CharacterSet {
  readonly points: CodePoints;
  /** Characters with any of these belong to it too. */
  readonly properties: readonly Property[];
  /** The set is everything else. Only with properties; without any, `points` says it all. */
  readonly isNegated: boolean;
}

/** How letters are compared. */
export interface Letters {
  /** Gives a set the other cases of its letters; undefined when case counts. */
  readonly withCases?: (set: CodePoints) => CodePoints;
  /** What `\w` is and `\b` goes by. */
  readonly word: CodePoints;
}

export const WORD: CodePoints = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
];

/** Halves of characters: what is no UTF-8 is kept as these, and nothing matches it. */
export const SURROGATES: CodePoints = [[0xd800, 0xdfff]];

/** What no place of a pattern stands for: line ends, and what no text has. */
export const NEVER: CodePoints = [[0x00, 0x00], [0x0a, 0x0a], [0x0d, 0x0d], ...SURROGATES];

const DIGIT: CodePoints = [[0x30, 0x39]];
const SPACE: CodePoints = [
  ...([
    [0x09, 0x0d],
    [0x20, 0x20],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
  ] as const),
  ...([
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ] as const),
];

export type SetNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** What a place of a pattern stands for. */
export function characterSet(node: SetNode, character: (value: number) => number, letters: Letters): CharacterSet {
  const {isNegated, elements} = membersOf(node);
  const properties: Property[] = [];
  const plain: (readonly [number, number])[] = [];
  const cased: (readonly [number, number])[] = [];
  for (const element of elements) {
    if (element.type === 'Character') cased.push([character(element.value), character(element.value)]);
    else if (element.type === 'CharacterClassRange')
      cased.push([character(element.min.value), character(element.max.value)]);
    else if (element.type === 'CharacterSet' && element.kind === 'property')
      properties.push({key: element.key, value: element.value, isNegated: element.negate});
    else if (element.type === 'CharacterSet') plain.push(...namedSet(element, letters));
    // What is left is written only with the `v` flag, with which no pattern is read.
  }
  const exact = codePoints(cased);
  const points = codePoints([...plain, ...(letters.withCases?.(exact) ?? exact)]);
  if (properties.length > 0) return {points, properties, isNegated};
  return {points: without(isNegated ? allBut(points) : points, NEVER), properties, isNegated: false};
}

function membersOf(node: SetNode): {
  readonly isNegated: boolean;
  readonly elements: readonly (SetNode | AST.CharacterClassElement)[];
} {
  return node.type === 'CharacterClass'
    ? {isNegated: node.negate, elements: node.elements}
    : {isNegated: false, elements: [node]};
}

/** Whether nothing is in it. */
export function isEmptySet({points, properties}: CharacterSet): boolean {
  return points.length === 0 && properties.length === 0;
}

function namedSet(element: AST.AnyCharacterSet | AST.EscapeCharacterSet, {word}: Letters): CodePoints {
  if (element.kind === 'any') return allBut([]);
  const points = element.kind === 'digit' ? DIGIT : element.kind === 'space' ? SPACE : word;
  return element.negate ? allBut(points) : points;
}
