import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';

/** The context files that the model of this conversation gets. */
export default provide('view:memory', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Context files',
      empty: 'There are none. To tell a model about this project, write a file named GEMINI.md, or run /init.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'read', key: 'o', label: 'read'},
        {name: 'edit', key: 'e', label: 'open in your editor', isTyped: true},
        {name: 'reload', key: 'l', label: 'read all of them again'},
      ],
    }),
    list: async () =>
      (await (await service('memory')).files()).map(({tier, path, imports, faults}) => ({
        id: path,
        label: path,
        details: [
          tier,
          ...(imports.length > 0 ? [`imports ${imports.length}`] : []),
          ...(faults.length > 0 ? [`${faults.length} not read`] : []),
        ].join(', '),
      })),
    preview: async (id) => {
      const file = (await (await service('memory')).files()).find(({path}) => path === id);
      if (!file) return [{kind: 'text', text: 'It is no longer there.'}];
      return [
        ...(file.faults.length > 0 ? [{kind: 'text' as const, title: 'Not read', text: file.faults.join('\n')}] : []),
        {kind: 'markdown', text: file.text},
      ];
    },
    act: async (action, id) => {
      if (action === 'read') return {kind: 'read'};
      if (action === 'edit') return {kind: 'edit', file: id, then: 'reload', id};
      const files = await (await service('memory')).reload();
      return {kind: 'stay', sentence: `Read ${files.length} context files again; the next prompt has them.`};
    },
  }),
});
