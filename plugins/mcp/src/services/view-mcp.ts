import {provide} from '@gemini-kernel/kernel';
import type {View, ViewText} from '@gemini-kernel/plugin-agent/contract';
import type {Mcp, ServerInfo} from '../contract.js';

/** The MCP servers, what they offer, and why some are not used. */
export default provide('view:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: ({service}): View => {
    const mcp = (): Promise<Mcp> => service('mcp');
    return {
      describe: async () => ({
        title: 'MCP servers',
        empty: 'No server is configured. gemini mcp add adds one.',
        search: 'labels',
        sorts: [],
        inLines: 'command',
        actions: [
          {name: 'read', key: 'o', label: 'read'},
          {name: 'test', key: 't', label: 'test'},
          {name: 'off', key: 'd', label: 'off until gemini ends'},
          {name: 'on', key: 'e', label: 'on again'},
          {name: 'login', key: 'i', label: 'log in'},
          {name: 'reload', key: 'l', label: 'read all again'},
        ],
      }),
      list: async () =>
        (await (await mcp()).list()).map((info) => ({id: info.name, label: info.name, details: state(info)})),
      preview: async (id) => preview(await mcp(), id),
      act: async (action, id) => {
        if (action === 'read') return {kind: 'read'};
        if (action === 'test' || action === 'login') return {kind: 'command', words: ['mcp', action, id]};
        if (action === 'reload') await (await mcp()).reload();
        else await (await mcp()).switch(id, action === 'on');
        return {kind: 'stay', sentence: action === 'reload' ? 'Read again.' : `${id} is ${action} until gemini ends.`};
      },
    };
  },
});

function state({leftOut, remembered, transport}: ServerInfo): string {
  if (leftOut) return `not used: ${leftOut.reason}`;
  return remembered ? `${transport}, ${remembered.tools} tools` : `${transport}, not connected yet`;
}

async function preview(mcp: Mcp, id: string): Promise<readonly ViewText[]> {
  const info = (await mcp.list()).find(({name}) => name === id);
  if (!info) return [{kind: 'text', text: 'It is no longer configured.'}];
  const {description, target, origin, isTrusted, leftOut, remembered} = info;
  const facts = [
    ...(description === undefined ? [] : [description]),
    target,
    `From: ${origin.source ?? origin.layer}`,
    ...(isTrusted ? ['Its tools run without a question.'] : []),
    ...(leftOut ? [leftOut.sentence] : []),
    ...(remembered ? [`Last connected: ${remembered.at}${remembered.server ? `, ${remembered.server}` : ''}`] : []),
  ];
  const log = await mcp.log(id);
  return [
    {kind: 'text', title: id, text: facts.join('\n')},
    {kind: 'text', title: 'Its log', text: log.trim() || 'Empty.', isTail: true},
  ];
}
