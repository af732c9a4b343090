import {findNearest} from '@gemini-kernel/kernel';

/**
 * What to tell who names a tool that is not installed; undefined when it is. Rules may speak of such tools, and people
 * misspell others.
 */
export function tellUnknownTool(tool: string, installed: readonly {readonly name: string}[]): string | undefined {
  const names = installed.map(({name}) => name);
  if (names.includes(tool)) return undefined;
  const near = findNearest(tool, names);
  return (
    `Warning: No tool ${tool} is installed${near.length > 0 ? ` (did you mean ${near.join(', ')}?)` : ''}; it is ` +
    'judged by its name and input alone.'
  );
}
