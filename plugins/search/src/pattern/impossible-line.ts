import type {AST} from '@eslint-community/regexpp';

const WHAT = new Map([
  [0x00, 'a zero character, which no line has,'],
  [0x0a, 'a line end, where a pattern is held against one line at a time,'],
  [0x0d, 'a line end, where a pattern is held against one line at a time,'],
]);

/** A part of a pattern that no line has, which the pattern cannot do without. */
export interface ImpossiblePart {
  readonly what: string;
  readonly at: number;
}

/** The first part that is written as a line end or as a zero character, unless the pattern matches without it. */
export function impossiblePart(alternatives: readonly AST.Alternative[]): ImpossiblePart | undefined {
  for (const {elements} of alternatives) {
    for (const element of elements) {
      const part = inElement(element);
      if (part !== undefined) return part;
    }
  }
  return undefined;
}

function inElement(element: AST.Element): ImpossiblePart | undefined {
  switch (element.type) {
    case 'Character':
      return described(element.value, element.start);
    case 'CharacterClass':
      return inClass(element);
    case 'Quantifier':
      return element.min === 0 ? undefined : inElement(element.element);
    case 'Assertion':
      return 'alternatives' in element && !element.negate ? impossiblePart(element.alternatives) : undefined;
    case 'Group':
    case 'CapturingGroup':
      return impossiblePart(element.alternatives);
    default:
      return undefined;
  }
}

function inClass({elements, negate, start}: AST.CharacterClass): ImpossiblePart | undefined {
  const [first] = elements;
  const isOnly = !negate && elements.every((member) => member.type === 'Character' && WHAT.has(member.value));
  return isOnly && first?.type === 'Character' ? described(first.value, start) : undefined;
}

function described(value: number, at: number): ImpossiblePart | undefined {
  const what = WHAT.get(value);
  return what === undefined ? undefined : {what, at};
}
