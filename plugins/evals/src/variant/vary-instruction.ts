import type {InstructionSection} from '@gemini-kernel/plugin-agent/contract';

/** Says what holds in this run, such as that no person is there. */
const HERE = 'here-and-now';

/**
 * The sections with another text: for one section, what stands below its heading, or for the whole, everything but what
 * holds here and now. An empty text leaves a section out. Undefined when there is no such section.
 */
export function varyInstruction(
  sections: readonly InstructionSection[],
  name: string | undefined,
  text: string,
): readonly InstructionSection[] | undefined {
  if (name === undefined) {
    const here = sections.filter((section) => section.name === HERE);
    return text === '' ? here : [{name: 'opening', text}, ...here];
  }
  if (!sections.some((section) => section.name === name)) return undefined;
  return sections.flatMap((section) => {
    if (section.name !== name) return [section];
    const heading = /^# .*/.exec(section.text)?.[0];
    return text === '' ? [] : [{name, text: heading === undefined ? text : `${heading}\n${text}`}];
  });
}
