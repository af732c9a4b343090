import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {FAULTS, findFault} from '../find-fault.js';
import {nameSource, nameWanted} from '../source-name.js';

/** The directories that tools reach, and those that something asks for. */
export default provide('view:directory', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Directories that tools reach',
      empty: 'There are none.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'explain', key: 'o', label: 'explain'},
        {name: 'add', key: 'a', label: 'add one', input: {label: 'Directory:'}},
        {name: 'remove', key: 'x', label: 'remove from the settings', confirm: 'Remove it from your settings?'},
      ],
    }),
    list: async () => {
      const workspace = await service('workspace');
      const [roots, pending] = await Promise.all([workspace.roots(), workspace.pending()]);
      return [
        ...roots.map((root) => ({id: root.path, label: root.path, details: nameSource(root)})),
        ...pending.map((one) => ({id: one.path, label: one.path, details: `not included: ${nameWanted(one)}`})),
      ];
    },
    preview: async (id) => {
      const workspace = await service('workspace');
      const root = (await workspace.roots()).find(({path}) => path === id);
      const wanted = (await workspace.pending()).find(({path}) => path === id);
      const fault = root && (await findFault(root.path));
      const facts = [
        ...(root ? [`Tools reach it: ${nameSource(root)}.`] : []),
        ...(fault === undefined ? [] : [`But ${FAULTS[fault]}.`]),
        ...(wanted ? [`Tools do not reach it: ${nameWanted(wanted)}. Add it, and they do.`] : []),
        ...(wanted?.isClosed ? ['It holds secrets or belongs to the system.'] : []),
      ];
      return [{kind: 'text', title: id, text: facts.join('\n')}];
    },
    act: async (action, id, text = '') => {
      // The commands ask about a directory that holds secrets.
      const words = action === 'add' ? ['add', text.trim()] : [action, id];
      return {kind: 'command', words: ['directory', ...words]};
    },
  }),
});
