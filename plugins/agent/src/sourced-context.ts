import type {AgentParts} from './agent-parts.js';
import type {ContextSection} from './contract.js';
import {contextItem} from './slash/sourced-items.js';
import {markForeign} from './slash/prompt-pieces.js';

/**
 * What sources of context say now: all of it before the first prompt, later what has changed since. Each section names
 * its owner; what is foreign never becomes part of the instruction.
 */
export async function takeSourcedContext(
  {context, state: {given}}: Pick<AgentParts, 'context' | 'state'>,
  isFirst: boolean,
): Promise<readonly ContextSection[]> {
  const sections: ContextSection[] = [];
  const now = new Map<string, string>();
  for (const {plugin, isOurs, items} of await context.sources('context', contextItem)) {
    for (const {place, title, text, from, isForeign = false} of items) {
      const owner = from === undefined ? plugin : isOurs ? from : `${from} (${plugin})`;
      const heading = `${title} (from ${owner})`;
      if (place === 'system' && isOurs && !isForeign) sections.push({place, title, text: `## ${heading}\n${text}`});
      else
        now.set(heading, [now.get(heading) ?? [], isForeign || !isOurs ? markForeign(text) : text].flat().join('\n'));
    }
  }
  for (const [title, text] of now) {
    if (isFirst) sections.push({place: 'start', title, text: `## ${title}\n${text}`});
    else if (given.get(title) !== text) sections.push({place: 'prompt', title, text: `${title} is now:\n${text}`});
  }
  for (const title of given.keys())
    if (!isFirst && !now.has(title)) sections.push({place: 'prompt', title, text: `${title} no longer counts.`});
  given.clear();
  for (const [title, text] of now) given.set(title, text);
  return sections;
}
