import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import {renderParameters} from '../render.js';

/** The tools that the model of this conversation is given. */
export default provide('view:tools', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({tools}): View => ({
    describe: async () => ({
      title: 'Tools that the model is given',
      empty: 'No tool is offered here.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [{name: 'read', key: 'o', label: 'read'}],
    }),
    list: async () =>
      (await tools.offered()).map(({name, effect, plugin, description}) => ({
        id: name,
        label: `${name}: ${description.split(/(?<=\.)\s|\n/)[0] ?? ''}`,
        details: `${effect}, ${plugin.replace('@gemini-kernel/plugin-', '')}`,
      })),
    preview: async (id) => {
      const tool = (await tools.offered()).find(({name}) => name === id);
      if (!tool) return [{kind: 'text', text: 'It is no longer offered.'}];
      const hints = Object.entries(tool.annotations).flatMap(([name, value]) =>
        value === true ? [name.replace(/Hint$/, '')] : [],
      );
      const parameters = renderParameters(tool.input, (_, text) => text);
      return [
        {
          kind: 'text',
          title: tool.name,
          text: `${[tool.effect, ...hints, tool.plugin].join(', ')}\n\n${tool.description}`,
        },
        {kind: 'text', title: 'Parameters', text: parameters.join('\n') || 'None.'},
      ];
    },
    act: async () => ({kind: 'read'}),
  }),
});
