import type {InstructionSection} from './contract.js';

const OPENING = 'opening';
const HEADING = /^# +(.+)/;

/** The sections of an instruction, whose texts with an empty line between them are the instruction again. */
export function splitInstruction(text: string): readonly InstructionSection[] {
  return text.split(/\n\n(?=# )/).map((part) => ({name: nameOf(part), text: part}));
}

export function joinInstruction(sections: readonly InstructionSection[]): string {
  return sections.map(({text}) => text).join('\n\n');
}

function nameOf(part: string): string {
  const words = HEADING.exec(part)?.[1]
    ?.toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words ? words.join('-') : OPENING;
}
