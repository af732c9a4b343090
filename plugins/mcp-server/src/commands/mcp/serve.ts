import {createRequire} from 'node:module';
import {Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {HttpFlags} from '../../http/read-address.js';
import {CLIENTS, printConfig, type ClientConfig, type ClientName} from '../../print-config.js';
import {FACES, type Face, type Setup} from '../../serve/setup.js';

export default class McpServe extends KernelCommand {
  static override summary = 'Serve the tools of this program to MCP clients.';
  static override description = [
    'An MCP client, such as Claude Code, Cursor or VS Code, starts this command and speaks with it over standard ' +
      'input and output. Every call is judged by the policy, like a call of the model; where a rule asks, the client ' +
      'shows the question. The workspace is what the client names as its roots, else the current directory.',
    '--face agent serves the agent instead: agent_start and agent_continue.',
    '--http listens at an address of this machine instead, for clients that send the token.',
  ].join('\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> --print-config claude',
    '<%= config.bin %> <%= command.id %> --face agent --approval-mode auto_edit',
    '<%= config.bin %> <%= command.id %> --http --port 8930 --token-file ~/.gemini/serve-token',
  ];
  static override flags = {
    face: Flags.string({description: 'What to serve: the tools, the agent, or both.', options: [...FACES]}),
    'print-config': Flags.string({
      description: 'Print the configuration for a client, and exit.',
      options: [...CLIENTS],
      exclusive: ['http'],
    }),
    http: Flags.boolean({description: 'Serve over HTTP, at /mcp.'}),
    host: Flags.string({description: 'Address to listen at: 127.0.0.1.', dependsOn: ['http']}),
    port: Flags.string({description: 'Port to listen at; without it, a free one.', dependsOn: ['http']}),
    'token-file': Flags.string({
      description: 'File with the token, which only you can read. Without it, a new token is printed.',
      dependsOn: ['http'],
    }),
    'tls-cert': Flags.string({description: 'File with the certificate, to serve over TLS.', dependsOn: ['http']}),
    'tls-key': Flags.string({description: 'File with the key of the certificate, for you only.', dependsOn: ['http']}),
    'allow-plain-http': Flags.boolean({
      description: 'Listen at an address that others can reach, without TLS.',
      dependsOn: ['http'],
    }),
  };

  async run(): Promise<ClientConfig | undefined> {
    const {flags} = await this.parse(McpServe);
    // Each of these lists the options above, so their values are among them.
    const client = flags['print-config'] as ClientName | undefined;
    const face = (flags.face ?? 'tools') as Face;
    if (client) return this.printConfig(client);
    if (this.jsonEnabled())
      throw new KernelError('MCP_SERVE_INVALID', '--json is for --print-config only.', {
        hint: 'Leave it out: the server speaks the protocol on standard output.',
      });
    const {signal} = this.host;
    if (flags.http) await this.serveHttp(face, flags);
    else await this.serveStdio(face);
    signal.throwIfAborted();
    return undefined;
  }

  private printConfig(client: ClientName): ClientConfig {
    const config = printConfig(client, ['mcp', 'serve', ...withoutOwn(this.argv)]);
    this.logToStderr(`Add this to ${config.file}${config.command ? `, or run: ${config.command}` : ''}`);
    this.print(config.text);
    return config;
  }

  private async serveStdio(face: Face): Promise<void> {
    const {input, output, signal} = this.host;
    if ((input as NodeJS.ReadStream).isTTY)
      this.logToStderr('Waiting for an MCP client on standard input. Ctrl+C ends the server.');
    const {serveOverStdio} = await import('../../serve/serve-stdio.js');
    // Both are streams of this process.
    const pipes = {input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream, signal};
    await serveOverStdio(await this.setup(face), pipes);
  }

  private async serveHttp(face: Face, flags: HttpFlags): Promise<void> {
    const {readAddress} = await import('../../http/read-address.js');
    const {isNewToken, ...address} = await readAddress(flags, this.kernel.environment.platform);
    const {serveOverHttp} = await import('../../http/serve-http.js');
    await serveOverHttp(
      {...(await this.setup(face)), within: this.kernel.environment.cwd},
      {
        ...address,
        signal: this.host.signal,
        onListening: (url) => {
          this.logToStderr(`MCP server at ${url}`);
          if (isNewToken) this.logToStderr(`Authorization: Bearer ${address.token}`);
        },
      },
    );
  }

  private async setup(face: Face): Promise<Setup> {
    const {version} = createRequire(import.meta.url)('../../../package.json') as {readonly version: string};
    return {sdk: await import('#sdk'), kernel: this.kernel, version, face, log: (line) => this.logToStderr(line)};
  }
}

/** The words of the command line without those that only print. */
function withoutOwn(argv: readonly string[]): readonly string[] {
  return argv.filter(
    (word, at) => !/^--(?:print-config(?:=.*)?|json)$/s.test(word) && argv[at - 1] !== '--print-config',
  );
}
