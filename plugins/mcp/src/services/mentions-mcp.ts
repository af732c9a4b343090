import {provide} from '@gemini-kernel/kernel';
import type {MentionSource} from '@gemini-kernel/plugin-agent/contract';
import {READ_RESOURCE} from '../offers/resource-tools.js';

/** Resources of MCP servers by `@server:uri` in a prompt: read by the path of every call. */
export default provide('mentions:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['complete', 'resolve'],
  create: ({service, tools}): MentionSource => ({
    async complete() {
      const listed = await (await service('mcp')).resources();
      return listed.flatMap(({server, uri, isTemplate}) => (isTemplate ? [] : [`${server}:${uri}`])).sort();
    },
    async resolve(text, signal) {
      const at = text.indexOf(':');
      if (at <= 0) return undefined;
      const [serverName, uri] = [text.slice(0, at), text.slice(at + 1)];
      const listed = await (await service('mcp')).resources();
      if (uri === '' || !listed.some(({server}) => server === serverName)) return undefined;
      const outcome = await tools.call({tool: READ_RESOURCE, input: {uri, serverName}}, {signal});
      if (outcome.status !== 'done')
        throw new Error(outcome.status === 'refused' ? outcome.reason : outcome.error.message);
      const {model} = outcome.result;
      return typeof model === 'string' ? [{text: model}] : model;
    },
  }),
});
