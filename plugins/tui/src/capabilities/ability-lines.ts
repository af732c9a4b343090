import type {Ability} from './find-abilities.js';

type Style = (style: 'good' | 'warn' | 'dim', text: string) => string;

const MARKS = {yes: '✓', no: '✗', unknown: '?'} as const;

/** What a terminal can do, as lines; with what to do where it cannot. */
export function abilityLines(abilities: readonly Ability[], style: Style): readonly string[] {
  return abilities.flatMap(({name, can, why, seen, fix}) => [
    `${style(can === 'yes' ? 'good' : 'warn', MARKS[can])} ${name} ${style('dim', `(${seen})`)}`,
    ...(can === 'yes' ? [] : [`    ${why}`, ...(fix === undefined ? [] : [`    ${fix}`])]),
  ]);
}
