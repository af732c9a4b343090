import {provide} from '@gemini-kernel/kernel';
import type {View, ViewText} from '@gemini-kernel/plugin-agent/contract';
import type {Inbox} from '../contract.js';
import {describeItem, describeState} from '../inbox/describe-item.js';

/** What was learned and waits for the person. */
export default provide('view:inbox', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Proposals that wait for you',
      empty: 'The inbox is empty.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'read', key: 'o', label: 'read'},
        {name: 'apply', key: 'a', label: 'apply'},
        {name: 'workspace', key: 'w', label: 'apply to the project'},
        {name: 'edit', key: 'e', label: 'open in your editor', isTyped: true},
        {name: 'check', key: 'c', label: 'check'},
        {name: 'dismiss', key: 'x', label: 'dismiss', confirm: 'Dismiss this proposal?'},
        {name: 'undo', key: 'u', label: 'take back what was done last'},
      ],
    }),
    list: async () =>
      (await (await service('inbox')).list()).map(({id, kind, fault}) => ({
        id,
        label: id,
        details: fault === undefined ? kind : `${kind}, cannot be applied`,
      })),
    preview: async (id) => preview(await service('inbox'), id),
    async act(action, id) {
      const inbox = await service('inbox');
      if (action === 'read') return {kind: 'read'};
      if (action === 'edit') return {kind: 'edit', file: await inbox.file(id), then: 'check', id};
      if (action === 'check') return {kind: 'stay', sentence: describeState(await inbox.find(id))};
      if (action === 'dismiss') {
        await inbox.dismiss(id);
        return {kind: 'stay', sentence: `Dismissed ${id}. u brings it back.`};
      }
      if (action === 'undo') {
        const done = await inbox.undo();
        return {kind: 'stay', sentence: `Took back ${done.id}; it waits again.`};
      }
      // The command asks, and runs the cases of a skill first.
      const scope = action === 'workspace' ? ['--scope', 'workspace'] : [];
      return {kind: 'command', words: ['inbox', 'apply', id, ...scope]};
    },
  }),
});

async function preview(inbox: Inbox, id: string): Promise<readonly ViewText[]> {
  const item = (await inbox.list()).find((one) => one.id === id);
  if (!item) return [{kind: 'text', text: 'It no longer waits.'}];
  const kind = item.kind === 'skill' ? 'markdown' : 'diff';
  return [
    {kind: 'text', title: item.id, text: describeItem(item)},
    {kind, title: kind === 'diff' ? 'The change' : 'The skill', text: item.text},
  ];
}
