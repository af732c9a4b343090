import {provide} from '@gemini-kernel/kernel';
import type {MentionSource} from '@gemini-kernel/plugin-agent/contract';

/** Resources of MCP servers by `@server:uri` in a prompt. */
export default provide('mentions:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['resolve'],
  create: ({service, session}): MentionSource => ({
    async resolve(text, signal) {
      const at = text.indexOf(':');
      if (at <= 0) return undefined;
      const mcp = await service('mcp');
      const [server, uri] = [text.slice(0, at), text.slice(at + 1)];
      const isListed = (await mcp.resources()).some((one) => one.server === server);
      if (!isListed || uri === '') return undefined;
      const {model} = await mcp.resource({server, uri}, {session: session.id, signal, progress: () => undefined});
      return typeof model === 'string' ? [{text: model}] : model;
    },
  }),
});
