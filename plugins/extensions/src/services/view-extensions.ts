import {provide} from '@gemini-kernel/kernel';
import type {View} from '@gemini-kernel/plugin-agent/contract';
import type {Brought} from '../contract.js';

/** The installed extensions, what they bring, and why some are not used. */
export default provide('view:extensions', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => ({
    describe: async () => ({
      title: 'Extensions',
      empty: 'No extension is installed. /extensions explore finds some.',
      search: 'labels',
      sorts: [],
      inLines: 'command',
      actions: [
        {name: 'read', key: 'o', label: 'read'},
        {name: 'update', key: 'u', label: 'update'},
        {name: 'disable', key: 'd', label: 'disable', confirm: 'Disable this extension?'},
        {name: 'enable', key: 'e', label: 'enable'},
        {name: 'uninstall', key: 'x', label: 'uninstall', confirm: 'Uninstall this extension?'},
      ],
    }),
    list: async () =>
      (await (await service('extensions')).list()).map(({name, version, state, unused}) => ({
        id: name,
        label: `${name} ${version}`,
        details: unused ? `${state}, not used: ${unused.reason}` : state,
      })),
    preview: async (id) => {
      const extension = (await (await service('extensions')).list()).find(({name}) => name === id);
      if (!extension) return [{kind: 'text', text: 'It is no longer installed.'}];
      const {description = '', folder, source, unused, brings} = extension;
      return [
        {kind: 'text', title: id, text: `${description}\n${folder}\nFrom: ${source.location}`.trim()},
        ...(unused ? [{kind: 'text' as const, title: 'It is not used', text: unused.sentence}] : []),
        {kind: 'text', title: 'It brings', text: brings ? describeBrought(brings) : 'Its files cannot be read.'},
      ];
    },
    act: async (action, id) =>
      action === 'read' ? {kind: 'read'} : {kind: 'command', words: ['extensions', action, id]},
  }),
});

function describeBrought(brings: Brought): string {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Context files', brings.contextFiles],
    ['MCP servers', brings.servers.map(({name, target}) => `${name}: ${target}`)],
    ['Commands', brings.commands],
    ['Skills', brings.skills],
    ['Hooks', brings.hooks.map(({event, command}) => `${event}: ${command}`)],
    ['Rules', brings.policies],
    ['Tools that it excludes', brings.excludedTools],
    ['Settings', brings.settings.map(({name}) => name)],
  ];
  const lines = rows.flatMap(([title, items]) =>
    items.length > 0 ? [title, ...items.map((item) => `  ${item}`)] : [],
  );
  return lines.join('\n') || 'Nothing.';
}
