import {provide} from '@gemini-kernel/kernel';
import type {ContextSource} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';

const detachers = new WeakMap<ContextSource, () => void>();

/** How to use MCP servers, in their words, and which resources changed since they were read. In trusted folders. */
export default provide('context:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list'],
  create({service, changed, session}): ContextSource {
    const source: ContextSource = {
      async list() {
        const mcp = await service('mcp');
        if (!detachers.has(source)) detachers.set(source, mcp.follow(changed));
        if (!(await (await service('trust')).state()).trusted) return [];
        const instructions = (await mcp.instructions()).map(({server, text}) => ({
          place: 'start' as const,
          title: 'Instructions of an MCP server',
          text,
          from: server,
          isForeign: true,
        }));
        const stale = (await mcp.stale(session.id)).map(({server, uri}) => ({
          place: 'start' as const,
          title: 'Resources that changed since you read them',
          text: uri,
          from: server,
          isForeign: true,
        }));
        return [...instructions, ...stale];
      },
    };
    return source;
  },
  dispose: (source) => detachers.get(source)?.(),
});
