import type {Command} from '@oclif/core';
import {mayRunElsewhere} from '@gemini-kernel/admission/elsewhere';
import type {CommandHost} from '@gemini-kernel/command';
import {includesCapability, KERNEL, type Catalog, type Kernel, type Session} from '@gemini-kernel/kernel/host';
import {givenFlags} from './given-flags.js';

type Entry = NonNullable<ReturnType<Catalog['commands']['get']>>;

/** What the service for isolation gives for a command, as far as a host knows it. */
interface RemoteCommand {
  run(parts: object): Promise<unknown>;
}

/**
 * A class that stands for a command of an installed plugin which runs in a process of its own; undefined for one that
 * is imported here. Nothing of the plugin is imported before. Throws KernelError PLUGIN_UNISOLATED.
 */
export async function findIsolated(entry: Entry, host: CommandHost): Promise<Command.Class | undefined> {
  const {catalog, live} = host;
  if (!mayRunElsewhere(catalog, entry.plugin)) return undefined;
  const kernel = live?.kernel ?? host.boot({});
  const end = async (): Promise<void> => {
    if (!live) await kernel.close();
  };
  try {
    const session = live?.session ?? kernel.open();
    const remote = (await kernel.load(entry, 'command', (name) => session.service(name, KERNEL))) as RemoteCommand;
    if (typeof remote !== 'function') return await createClass(entry, {host, kernel, session, remote, end});
  } catch (error) {
    await end();
    throw error;
  }
  // It is imported here.
  await end();
  return undefined;
}

interface Parts {
  readonly host: CommandHost;
  readonly kernel: Kernel;
  readonly session: Session;
  readonly remote: RemoteCommand;
  end(): Promise<void>;
}

/** What it prints goes through the command that it stands for, which spells out what a terminal would obey. */
async function createClass(entry: Entry, parts: Parts): Promise<Command.Class> {
  const {KernelCommand} = await import('@gemini-kernel/command');
  return class extends KernelCommand {
    static override id = entry.id;
    static override strict = false;
    /** The other process knows whether it prints JSON. */
    static override enableJsonFlag = false;

    async run(): Promise<void> {
      const opened: Kernel[] = [];
      const print = (line: string, isError: boolean): void => (isError ? this.logToStderr(line) : this.log(line));
      try {
        const {bin, pjson} = this.config;
        const program = {...pjson.oclif, bin, plugins: [], commands: undefined};
        await parts.remote.run({...describeRun(entry, parts, this.argv, opened), program, print});
      } finally {
        for (const one of opened) await one.close();
        await parts.end();
      }
    }
  };
}

function describeRun(
  entry: Entry,
  {host, kernel, session}: Parts,
  argv: readonly string[],
  opened: Kernel[],
): Readonly<Record<string, unknown>> {
  const {catalog, signal, terminal, colour, live} = host;
  return {
    ...{argv, signal, terminal, colour, session: session.info, isLive: live !== undefined},
    flags: [...catalog.flags.values()].filter(({commands}) => commands?.includes(entry.id) ?? true),
    services: [...catalog.services.keys()],
    environment: environmentFor(entry.plugin, kernel),
    open(given: Readonly<Record<string, unknown>>) {
      const flags = givenFlags(given, argv, catalog);
      const own = live || Object.keys(flags).length === 0 ? undefined : host.boot(flags);
      if (own) opened.push(own);
      const used = own?.open() ?? session;
      return {service: (name: never) => used.service(name, entry.plugin), ask: (form: never) => used.ask(form)};
    },
    end: (code: number) => host.end(code),
  };
}

/** Of the variables, those that the plugin declares. */
function environmentFor(plugin: string, {environment, catalog}: Kernel): object {
  const {cwd, home, temporary, cacheDir, platform, variables, interactive} = environment;
  const declared = catalog.plugins.get(plugin)?.manifest.capabilities ?? [];
  const shown = Object.entries(variables).filter(([name]) =>
    declared.some((one) => includesCapability(one, `env:${name}`)),
  );
  return {cwd, home, temporary, cacheDir, platform, variables: Object.fromEntries(shown), flags: {}, interactive};
}
