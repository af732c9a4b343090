import {join} from 'node:path';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {LeftOutReason, SourcedServer} from '../contract.js';
import {Enablement} from './enablement.js';
import {isTable} from './is-table.js';
import {readServers, type Configured} from './read-servers.js';
import type {ServerConfig} from './server-config.js';

/** More names than this are not worth reading. */
const MOST_UNTRUSTED = 20;

/** The configured servers of a place, read again each time. */
export class ConfiguredServers {
  /** Servers that a session switched on or off, in lower case. */
  readonly #switched = new Map<string, boolean>();

  constructor(private readonly context: Pick<ServiceContext, 'environment' | 'names' | 'service'>) {}

  async list(): Promise<readonly Configured[]> {
    const {service, environment} = this.context;
    const [settings, files] = await Promise.all([service('settings'), service('config-files')]);
    const disabled = await new Enablement(environment.home, files).disabled();
    const isDisabled = (name: string): LeftOutReason | undefined => {
      const isOn = this.#switched.get(name.toLowerCase());
      if (isOn !== undefined) return isOn ? undefined : 'disabled-in-session';
      return disabled.has(name.trim().toLowerCase()) ? 'disabled' : undefined;
    };
    const servers = await readServers(settings, isDisabled, await this.#sourced());
    const names = new Set(servers.map(({name}) => name));
    return [...servers, ...(await this.#untrusted()).filter(({name}) => !names.has(name))];
  }

  /** What other plugins bring. */
  async #sourced(): Promise<readonly SourcedServer[]> {
    const {names, service} = this.context;
    const sources = names('mcp-servers').map((name) => service(name as `mcp-servers:${string}`));
    return (await Promise.all(sources.map(async (source) => (await source).list()))).flat();
  }

  /** Servers of a project that is not trusted: named, and nothing else is read of them. */
  async #untrusted(): Promise<readonly Configured[]> {
    const {service, environment} = this.context;
    if (await (await service('trust')).may('mcp-servers')) return [];
    const source = join(environment.cwd, '.gemini', 'settings.json');
    // A file of strangers that cannot be read has no servers.
    const found = await (await service('config-files')).readJSON(source).catch(() => undefined);
    const servers = found?.['mcpServers'];
    if (!isTable(servers)) return [];
    return Object.keys(servers)
      .slice(0, MOST_UNTRUSTED)
      .map((name) => ({
        name,
        origin: {layer: 'workspace', source},
        leftOut: {
          reason: 'untrusted',
          sentence:
            `The MCP server ${JSON.stringify(name.slice(0, 80))} of this project is not used, because the folder is ` +
            'not trusted. Trust it with `gemini trust add`.',
        },
      }));
  }

  /** Throws KernelError MCP_SERVER_UNKNOWN. */
  async find(name: string): Promise<Configured> {
    const configured = await this.list();
    const found = configured.find((one) => one.name === name);
    if (found) return found;
    const names = configured.map((one) => one.name).join(', ');
    throw new KernelError('MCP_SERVER_UNKNOWN', `There is no MCP server "${name}".`, {
      hint: names === '' ? 'Add one with `gemini mcp add <name> <command or address>`.' : `Configured: ${names}.`,
    });
  }

  /** The configuration of a server. Throws KernelError MCP_SERVER_UNKNOWN or MCP_SERVER_INVALID. */
  async config(name: string): Promise<ServerConfig> {
    const {config, leftOut} = await this.find(name);
    if (config) return config;
    throw new KernelError('MCP_SERVER_INVALID', leftOut?.sentence ?? `The MCP server "${name}" is invalid.`);
  }

  /** Uses a server again, or no longer, until the program ends. */
  async switch(name: string, isOn: boolean): Promise<void> {
    await this.find(name);
    this.#switched.set(name.toLowerCase(), isOn);
  }
}
