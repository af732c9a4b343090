import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import type {} from '../contract.js';
import {describeHook} from '../describe-hook.js';

/** The configured hooks, and why some do not run. */
export default provide('view:hooks', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Hooks, in the order in which they run',
      empty: 'No hooks are configured.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'show', key: 'o', label: 'show all of it'},
        {name: 'disable', key: 'd', label: 'disable', confirm: 'Disable this hook?'},
        {name: 'enable', key: 'e', label: 'enable'},
      ],
    }),
    list: async () =>
      (await (await service('hooks')).list()).map(({id, name, event, leftOut}) => ({
        id,
        label: name,
        details: leftOut ? `${event}, does not run: ${leftOut.reason}` : event,
      })),
    preview: async (id) => {
      const hook = (await (await service('hooks')).list()).find((one) => one.id === id);
      if (!hook) return [{kind: 'text', text: 'It is no longer configured.'}];
      return [
        ...(hook.leftOut ? [{kind: 'text' as const, title: 'It does not run', text: hook.leftOut.sentence}] : []),
        {kind: 'text', title: describeHook(hook), text: hook.description ?? ''},
        {kind: 'text', title: 'Command', text: hook.command},
        ...(hook.source === undefined ? [] : [{kind: 'text' as const, title: 'From', text: hook.source}]),
      ];
    },
    act: async (action, id) => ({kind: 'command', words: ['hooks', action, id]}),
  }),
});
