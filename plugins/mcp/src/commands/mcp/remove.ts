import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {findInfo} from '../../find-info.js';

type Scope = 'user' | 'project';

const LAYERS = {user: 'user', project: 'workspace'} as const;

export default class McpRemove extends KernelCommand {
  static override summary = 'Remove an MCP server from the settings.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> github',
    '<%= config.bin %> <%= command.id %> github --scope user',
  ];
  static override args = {name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'The settings to remove it from; if left out, the ones that count.',
      options: ['user', 'project'] as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly scope: Scope; readonly file: string}> {
    const {args, flags} = await this.parse(McpRemove);
    const settings = await this.service('settings');
    const mcp = await this.service('mcp');
    const {layers} = await settings.explain('mcpServers');
    const scopes = (['project', 'user'] as const).filter((scope) =>
      layers.some(({layer, value}) => layer === LAYERS[scope] && Object.hasOwn(Object(value) as object, args.name)),
    );
    const scope = flags.scope ?? scopes[0];
    if (scope === undefined || !scopes.includes(scope)) throw await this.describeMissing(args.name, scopes);
    const key = `mcpServers.${args.name.replaceAll('.', '\\.')}`;
    const {path: file} = await settings.set(key, undefined, {scope});
    await mcp.reload();
    this.log(`Removed the MCP server "${args.name}" from ${file}.`);
    return {name: args.name, scope, file};
  }

  private async describeMissing(name: string, scopes: readonly Scope[]): Promise<KernelError> {
    const {origin} = findInfo(await (await this.service('mcp')).list(), name);
    const where = origin.source ?? origin.layer;
    return new KernelError(
      'MCP_SERVER_UNKNOWN',
      `The MCP server "${name}" is not in those settings, but in ${where}.`,
      {
        hint: scopes[0] ? `Use --scope ${scopes[0]}.` : 'Remove it there.',
      },
    );
  }
}
