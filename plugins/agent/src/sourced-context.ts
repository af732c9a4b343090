import type {AgentParts} from './agent-parts.js';
import {markForeign, type Listed} from '@gemini-kernel/kernel';
import type {ContextSection, SourcedContext} from './contract.js';
import {contextItem} from './source-items.js';

/** The sections of sources of context, by place. */
interface Said {
  readonly system: readonly ContextSection[];
  /** For the first message, by heading. */
  readonly start: ReadonlyMap<string, string>;
}

/**
 * The current sections of sources of context: all of them before the first prompt, later only changes. Each section
 * names its owner; foreign text never becomes part of the instruction.
 */
export async function takeSourcedContext(
  {context, state: {given}}: Pick<AgentParts, 'context' | 'state'>,
  isFirst: boolean,
): Promise<readonly ContextSection[]> {
  const {system, start} = split(await context.sources<SourcedContext>('context', contextItem));
  const gone = [...given.keys()].filter((title) => !start.has(title));
  const changed = [...start].filter(([title, text]) => given.get(title) !== text);
  given.clear();
  for (const [title, text] of start) given.set(title, text);
  if (isFirst)
    return [
      ...system,
      ...[...start].map(([title, text]) => ({place: 'start', title, text: `## ${title}\n${text}`}) as const),
    ];
  return [
    ...system,
    ...changed.map(([title, text]) => ({place: 'prompt', title, text: `${title} is now:\n${text}`}) as const),
    ...gone.map((title) => ({place: 'prompt', title, text: `${title} no longer applies.`}) as const),
  ];
}

function split(lists: readonly Listed<SourcedContext>[]): Said {
  const system: ContextSection[] = [];
  const start = new Map<string, string>();
  for (const {plugin, isOurs, items} of lists) {
    for (const {place, title, text, from, isForeign = false} of items) {
      const heading = `${title} (from ${ownerOf(from, plugin, isOurs)})`;
      const said = isForeign || !isOurs ? markForeign(text) : text;
      if (place === 'system' && said === text) system.push({place, title, text: `## ${heading}\n${text}`});
      else start.set(heading, start.has(heading) ? `${start.get(heading) ?? ''}\n${said}` : said);
    }
  }
  return {system, start};
}

function ownerOf(from: string | undefined, plugin: string, isOurs: boolean): string {
  if (from === undefined) return plugin;
  return isOurs ? from : `${from} (${plugin})`;
}
