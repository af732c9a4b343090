import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {composeEntry, type Entry} from '../../config/compose-entry.js';
import {readServer} from '../../config/server-config.js';
import {splitWords} from '../../split-words.js';

interface Added {
  readonly name: string;
  readonly scope: 'user' | 'project';
  readonly file: string;
  readonly server: Entry;
  readonly replaced: boolean;
}

/** Flags that take a value, with their letters. */
const WITH_VALUE = ['scope', 's', 'transport', 't', 'type', 'env', 'e', 'header', 'H', 'timeout', 'description'];
const LISTS = ['include-tools', 'exclude-tools'];
const WITHOUT_VALUE = ['trust', 'json', 'help'];

export default class McpAdd extends KernelCommand {
  static override summary = 'Configure an MCP server.';
  static override description =
    'A target that starts with http:// or https:// is an address; anything else is a program with its arguments. ' +
    'Options that are not known here, and all words after --, are arguments of the program.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> files npx -y @modelcontextprotocol/server-filesystem .',
    '<%= config.bin %> <%= command.id %> docs https://docs.example/mcp --scope user',
    "<%= config.bin %> <%= command.id %> api https://api.example/mcp -H 'Authorization: Bearer $API_TOKEN'",
    "<%= config.bin %> <%= command.id %> db -e DATABASE_URL='$DATABASE_URL' -- node server.js --verbose",
  ];
  static override args = {
    name: Args.string({description: 'Name of the server.', required: true, ignoreStdin: true}),
    target: Args.string({description: 'A program, or the address of a server.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'The settings that keep it.',
      options: ['user', 'project'] as const,
      default: 'project' as const,
    })(),
    transport: Flags.option({
      char: 't',
      aliases: ['type'],
      description: 'How to talk to it. An address without it is tried with HTTP, then with SSE.',
      options: ['stdio', 'sse', 'http'] as const,
    })(),
    env: Flags.string({
      char: 'e',
      description: 'Variable of the program, as NAME=value; can be repeated.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    header: Flags.string({
      char: 'H',
      description: 'Header of each request, as "Name: value"; can be repeated.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    timeout: Flags.integer({description: 'Milliseconds that a request may take.', min: 1}),
    trust: Flags.boolean({description: 'Run its tools without a question.'}),
    description: Flags.string({description: 'What it is for.'}),
    'include-tools': Flags.string({
      description: 'The only tools to offer, separated by commas.',
      delimiter: ',',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'exclude-tools': Flags.string({
      description: 'Tools that are not offered, separated by commas.',
      delimiter: ',',
      multiple: true,
      multipleNonGreedy: true,
    }),
  };
  static override strict = false;
  static override slash = true;

  async run(): Promise<Added> {
    const {own, words} = splitWords(this.argv, {withValue: [...WITH_VALUE, ...LISTS], withoutValue: WITHOUT_VALUE});
    this.argv = own;
    const {args, flags} = await this.parse(McpAdd);
    const server = composeEntry({...flags, target: args.target, words});
    const fault = readServer(args.name, server, {layer: flags.scope});
    if (typeof fault === 'string' || args.name.trim() === '' || args.name === '__proto__')
      throw new KernelError(
        'MCP_SERVER_INVALID',
        typeof fault === 'string' ? `The MCP server "${args.name}" is invalid: ${fault}.` : 'A server needs a name.',
        {hint: 'See `gemini mcp add --help`.'},
      );
    const mcp = await this.service('mcp');
    const before = (await mcp.list()).find(
      ({name, origin}) => name === args.name && origin.layer === layerOf(flags.scope),
    );
    const key = `mcpServers.${args.name.replaceAll('.', '\\.')}`;
    const {path: file} = await (await this.service('settings')).set(key, server, {scope: flags.scope});
    await mcp.reload();
    this.log(`${before ? 'Replaced' : 'Added'} the MCP server "${args.name}" in ${file}.`);
    this.logToStderr(`Check that it works with \`gemini mcp test ${args.name}\`.`);
    return {name: args.name, scope: flags.scope, file, server, replaced: before !== undefined};
  }
}

function layerOf(scope: 'user' | 'project'): string {
  return scope === 'project' ? 'workspace' : 'user';
}
