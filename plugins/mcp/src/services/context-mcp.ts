import {provide} from '@gemini-kernel/kernel';
import type {ContextSource} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';

const detachers = new WeakMap<ContextSource, () => void>();

/** What MCP servers say about how to use them, in trusted folders. */
export default provide('context:mcp', {
  version: '1.0.0',
  scope: 'session',
  methods: ['list'],
  create({service, changed}): ContextSource {
    const source: ContextSource = {
      async list() {
        const mcp = await service('mcp');
        if (!detachers.has(source)) detachers.set(source, mcp.follow(changed));
        if (!(await (await service('trust')).state()).trusted) return [];
        return (await mcp.instructions()).map(({server, text}) => ({
          place: 'start',
          title: 'Instructions of an MCP server',
          text,
          from: server,
          isForeign: true,
        }));
      },
    };
    return source;
  },
  dispose: (source) => detachers.get(source)?.(),
});
