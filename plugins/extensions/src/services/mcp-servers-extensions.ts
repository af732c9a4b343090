import {provide} from '@gemini-kernel/kernel';
import type {ServerSource} from '@gemini-kernel/plugin-mcp/contract';
import type {} from '../contract.js';
import {isTable} from '../manifest/is-table.js';

type Table = Readonly<Record<string, unknown>>;

/** MCP servers of extensions; what people configure under the same name adds to them. */
export default provide('mcp-servers:extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list'],
  create: ({service}): ServerSource => ({
    async list() {
      const active = await (await service('extensions')).active();
      return active.flatMap(({name: from, servers, values}) =>
        Object.entries(servers).map(([name, server]) => ({name, from, value: withValues(server, values)})),
      );
    },
  }),
});

/** Values of settings are variables of its programs; what the manifest says itself is stronger. */
function withValues(server: Table, values: Readonly<Record<string, string>>): Table {
  const {command, env} = server;
  return command === undefined ? server : {...server, env: {...values, ...(isTable(env) ? env : {})}};
}
