/** Clients whose configuration `--print-config` knows. */
export const CLIENTS = ['claude', 'cursor', 'vscode', 'codex', 'zed'] as const;
export type ClientName = (typeof CLIENTS)[number];

/** What to put where, for one client. */
export interface ClientConfig {
  readonly client: ClientName;
  /** The file that takes it, as people write it. */
  readonly file: string;
  /** A command that writes it, where the client has one. */
  readonly command?: string;
  readonly text: string;
}

/** The entry that makes a client start this program as its server. */
export function printConfig(client: ClientName, args: readonly string[]): ClientConfig {
  const entry = {command: 'gemini', args};
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  switch (client) {
    case 'claude':
      return {
        client,
        file: '.mcp.json',
        command: `claude mcp add gemini -- gemini ${args.join(' ')}`,
        text: json({mcpServers: {gemini: {type: 'stdio', ...entry}}}),
      };
    case 'cursor':
      return {client, file: '.cursor/mcp.json', text: json({mcpServers: {gemini: entry}})};
    case 'vscode':
      return {client, file: '.vscode/mcp.json', text: json({servers: {gemini: {type: 'stdio', ...entry}}})};
    case 'codex':
      return {
        client,
        file: '~/.codex/config.toml',
        command: `codex mcp add gemini -- gemini ${args.join(' ')}`,
        text: `[mcp_servers.gemini]\ncommand = "gemini"\nargs = ${JSON.stringify(args)}`,
      };
    case 'zed':
      return {client, file: '~/.config/zed/settings.json', text: json({context_servers: {gemini: entry}})};
  }
}
