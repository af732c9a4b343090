import {listen} from '@gemini-kernel/kernel';
import type {ContextSection} from '@gemini-kernel/plugin-agent/contract';
import {toBlocks} from '../context-files.js';
import type {ContextFile, Tier} from '../contract.js';

/** Gives the model the context files: the user's own in the system prompt, the project's in the first message. */
export default listen('context:collect', {
  async run({isFirst}, {service}) {
    const memory = await service('memory');
    const files = await memory.files();
    const of = (...tiers: readonly Tier[]): readonly ContextFile[] => files.filter(({tier}) => tiers.includes(tier));
    const sections: readonly ContextSection[] = [
      {place: 'system', title: 'Global', text: toBlocks(of('global'))},
      {
        place: 'system',
        title: 'Private Project Memory',
        text: wrap('## Private Project Memory', toBlocks(of('private'))),
      },
      isFirst
        ? {place: 'start', title: 'Project', text: enclose(toBlocks(of('project')))}
        : {place: 'prompt', title: 'Project, read again', text: enclose(toBlocks(await memory.takeReloaded()))},
    ];
    return sections.filter(({text}) => text !== '');
  },
});

function wrap(heading: string, text: string): string {
  return text === '' ? '' : `${heading}\n${text}`;
}

function enclose(text: string): string {
  return text === '' ? '' : `<loaded_context>\n<project_context>\n${text}\n</project_context>\n</loaded_context>`;
}
