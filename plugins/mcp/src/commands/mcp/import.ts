import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {Entry} from '../../config/compose-entry.js';
import {readServer, showTarget} from '../../config/server-config.js';
import type {FoundServer} from '../../import/found-server.js';
import {formats, readAnyJson} from '../../import/formats.js';

interface Imported {
  readonly name: string;
  readonly from: string;
  readonly entry: Entry;
  readonly notes: readonly string[];
  /** Why it was not taken. */
  readonly skipped?: string;
}

type Source = {readonly file: string; readonly servers: readonly FoundServer[]};

export default class McpImport extends KernelCommand {
  static override summary = 'Take over MCP servers that other programs have configured.';
  static override description =
    'Reads the files of Claude Code, Cursor, VS Code and Codex, in this directory and in your home, or the file that ' +
    'you name. Variables stay variables: no secret is copied that was not written out there. A server that you have ' +
    'already is kept as it is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> .mcp.json --server github --scope user',
  ];
  static override args = {file: Args.string({description: 'The only file to read.', ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'The settings that keep the servers.',
      options: ['user', 'project'] as const,
      default: 'user' as const,
    })(),
    server: Flags.string({
      description: 'The only server to take; can be repeated.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    overwrite: Flags.boolean({description: 'Replace servers of the same name.'}),
    'dry-run': Flags.boolean({description: 'Show what would be taken, and change nothing.'}),
  };

  async run(): Promise<{readonly servers: readonly Imported[]; readonly file?: string}> {
    const {args, flags} = await this.parse(McpImport);
    const sources = args.file === undefined ? await this.search() : [await this.readNamed(args.file)];
    this.requireNamed(flags.server ?? [], sources);
    const mcp = await this.service('mcp');
    const taken = new Set(flags.overwrite ? [] : (await mcp.list()).map(({name}) => name));
    const servers: Imported[] = [];
    let file: string | undefined;
    for (const [from, found] of sources.flatMap((one) => one.servers.map((server) => [one.file, server] as const))) {
      if (flags.server && !flags.server.includes(found.name)) continue;
      const skipped = whyNot(found, taken);
      servers.push({...found, from, ...(skipped === undefined ? {} : {skipped})});
      if (skipped !== undefined) continue;
      taken.add(found.name);
      if (flags['dry-run']) continue;
      const key = `mcpServers.${found.name.replaceAll('.', '\\.')}`;
      ({path: file} = await (await this.service('settings')).set(key, found.entry, {scope: flags.scope}));
    }
    await mcp.reload();
    this.show(servers, flags['dry-run'], file);
    return {servers, ...(file === undefined ? {} : {file})};
  }

  private requireNamed(names: readonly string[], sources: readonly Source[]): void {
    const found = sources.flatMap(({servers}) => servers.map(({name}) => name));
    const [missing] = names.filter((name) => !found.includes(name));
    if (missing === undefined) return;
    throw new KernelError('MCP_SERVER_UNKNOWN', `No server "${missing}" was found.`, {
      hint: found.length === 0 ? 'Name the file that has it.' : `Found: ${found.join(', ')}.`,
    });
  }

  private async search(): Promise<readonly Source[]> {
    const {home, cwd} = this.kernel.environment;
    const found: Source[] = [];
    for (const format of formats) {
      for (const file of format.files({home, cwd})) {
        const text = await readText(file).catch((error: unknown) => {
          if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
          this.warn(unreadable(file, error).message);
          return undefined;
        });
        if (text === undefined) continue;
        // One broken file must not hide the servers of the others.
        const servers = await this.readWith(file, () => format.read(text, {cwd})).catch((error: unknown) => {
          this.warn(messageOf(error));
          return [];
        });
        found.push({file, servers});
      }
    }
    return found;
  }

  private async readNamed(name: string): Promise<Source> {
    const {cwd} = this.kernel.environment;
    const file = resolve(cwd, name);
    const text = await readText(file).catch((error: unknown) => {
      throw unreadable(file, error);
    });
    const format = formats.find((one) => one.matches(file));
    return {file, servers: await this.readWith(file, () => format?.read(text, {cwd}) ?? readAnyJson(text, cwd))};
  }

  private async readWith(
    file: string,
    read: () => Promise<readonly FoundServer[]> | readonly FoundServer[],
  ): Promise<readonly FoundServer[]> {
    try {
      return await read();
    } catch (error) {
      throw unreadable(file, error);
    }
  }

  private show(servers: readonly Imported[], isDry: boolean, file: string | undefined): void {
    for (const {name, from, entry, notes, skipped} of servers) {
      const mark = skipped === undefined ? this.style('good', isDry ? '+' : '✓') : this.style('dim', '○');
      this.log(`${mark} ${name}  ${this.style('dim', from)}${skipped === undefined ? '' : `  ${skipped}`}`);
      const config = readServer(name, entry, {layer: 'user'});
      // What it will run is for the person to read before they agree.
      if (typeof config !== 'string') this.log(`    ${showTarget(config)}`);
      for (const note of notes) this.log(`    ${note}`);
    }
    if (servers.length === 0) this.log('No MCP servers of other programs were found.');
    if (file !== undefined)
      this.logToStderr(`Written to ${file}. \`gemini mcp list --check\` shows whether they work.`);
  }
}

function whyNot({name, entry}: FoundServer, taken: ReadonlySet<string>): string | undefined {
  if (name.trim() === '' || name === '__proto__') return 'it has no name';
  if (taken.has(name)) return 'you have a server of this name (--overwrite replaces it)';
  const fault = readServer(name, entry, {layer: 'user'});
  return typeof fault === 'string' ? `invalid: ${fault}` : undefined;
}

function unreadable(file: string, cause: unknown): KernelError {
  return new KernelError('MCP_SERVER_INVALID', `Cannot read ${file}: ${messageOf(cause).replace(/\.$/, '')}.`, {
    hint: 'Correct the file, or name another one.',
    cause,
  });
}
