import {provide} from '@gemini-kernel/kernel';
import type {View} from '../contract.js';
import {bindingsFile, loadBindings} from '../key-file.js';

/** The keys of a conversation, and what is wrong in the file that changes them. */
export default provide('view:keys', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({environment}): View => {
    const file = bindingsFile(environment);
    return {
      describe: async () => ({
        title: 'Keys',
        empty: 'No key does anything.',
        search: 'labels',
        sorts: [],
        inLines: 'command',
        actions: [],
      }),
      list: async () => {
        const [{showKeyName}, {bindings, faults}] = await Promise.all([
          import('@gemini-kernel/terminal'),
          loadBindings(file),
        ]);
        return [
          ...faults.map((fault, index) => ({id: `fault ${index}`, label: fault, details: 'not followed'})),
          ...bindings.commands.map(({place, name, summary, keys}) => ({
            id: `${place} ${name}`,
            label: `${keys.map(showKeyName).join(', ') || 'no key'}: ${summary}`,
            details: place,
          })),
        ];
      },
      preview: async (id) => {
        const {bindings} = await loadBindings(file);
        const command = bindings.commands.find(({place, name}) => `${place} ${name}` === id);
        const [key = 'f5', name = 'edit.undo'] = [command?.keys[0], command?.name];
        const text = `${file} changes keys: a list of entries such as\n\n${JSON.stringify([{key, command: name}])}`;
        return [{kind: 'text', title: command?.name ?? 'An entry of the file', text}];
      },
      act: async () => ({kind: 'stay'}),
    };
  },
});
