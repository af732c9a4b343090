import {createRequire} from 'node:module';
import {join} from 'node:path';
import {ToolError, type Notice, type ServiceContext, type SourcedTool, type ToolResult} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {ProcessGroups} from '@gemini-kernel/processes';
import {Logins} from './auth/logins.js';
import {checkServer} from './check-server.js';
import {ConfiguredServers} from './config/configured-servers.js';
import type {ServerConfig} from './config/server-config.js';
import {callServer} from './connection/call-server.js';
import {confineServer} from './connection/confine-server.js';
import {makeProcesses} from './connection/make-processes.js';
import {openServer, type OpenServer} from './connection/open-server.js';
import {readLog, ServerLog} from './connection/server-log.js';
import {ServerLink, type Open} from './connection/server-link.js';
import type {CallWatch, LoginDesk, LoginState, Mcp, ServerCheck, ServerGuest, ServerInfo} from './contract.js';
import {describeServer} from './describe-server.js';
import {Guests} from './guests.js';
import {collectTools, type Owned} from './offers/collect-tools.js';
import {ExtraOffers} from './offers/extra-offers.js';
import {OfferMemory} from './offers/offer-memory.js';
import {ResourceUpdates} from './offers/resource-updates.js';
import {ServerOffer} from './offers/server-offer.js';
import {Sampling} from './sampling/sampling.js';

type Context = Pick<ServiceContext, 'environment' | 'names' | 'service' | 'signal' | 'tell'>;

/** Reasons that a person did not choose for this run, and should hear of. */
const TOLD: ReadonlySet<string> = new Set(['invalid', 'admin', 'not-allowed', 'untrusted']);
const LOUD: ReadonlySet<string> = new Set(['error', 'critical', 'alert', 'emergency']);

/** The MCP servers of one place. */
export class Servers implements Mcp {
  readonly #guests: Guests;
  readonly #logins: Logins;
  readonly #memory: OfferMemory;
  readonly #sampling: Sampling;
  readonly #updates: ResourceUpdates;
  readonly #folder: string;
  readonly #version: string;
  readonly #configured: ConfiguredServers;
  readonly #extras: ExtraOffers;
  #processes: Promise<ProcessGroups> | undefined;
  #used: Promise<ReadonlyMap<string, ServerOffer>> | undefined;
  #owners: ReadonlyMap<string, Owned> = new Map();

  constructor(private readonly context: Context) {
    const {cacheDir, cwd, newId} = context.environment;
    this.#folder = join(cacheDir, 'mcp');
    this.#version = (createRequire(import.meta.url)('../package.json') as {version: string}).version;
    this.#memory = new OfferMemory({folder: this.#folder, salt: `${this.#version} ${cwd}`, newId});
    this.#guests = new Guests(cwd);
    this.#updates = new ResourceUpdates(() => this.#guests.tellFollowers());
    this.#sampling = new Sampling(this.#guests, (notice) => this.#tell(notice));
    this.#logins = new Logins({
      context,
      version: this.#version,
      ask: (server, form, signal) => this.#guests.ask(server, form, signal),
    });
    this.#configured = new ConfiguredServers(context);
    this.#extras = new ExtraOffers({
      updates: this.#updates,
      offers: () => this.#learned(),
      during: (offer, {session}, act) =>
        this.#guests.during({server: offer.config.name, session}, () => this.#logins.during(offer.config, act)),
    });
  }

  async list(): Promise<readonly ServerInfo[]> {
    return Promise.all((await this.#configured.list()).map((one) => describeServer(one, this.#memory)));
  }

  async check(name: string): Promise<ServerCheck> {
    const open: Open = (config, signal) => this.#logins.during(config, () => this.#open(config, signal));
    return checkServer(await this.#configured.find(name), open, this.context.signal);
  }

  async log(name: string): Promise<string> {
    await this.#configured.find(name);
    return readLog(this.#logFile(name));
  }

  async login(name: string, desk: LoginDesk): Promise<LoginState> {
    const config = await this.#configured.config(name);
    const state = await this.#logins.logIn(config, desk, async () => {
      const server = await this.#open(config, desk.signal);
      await server.close();
    });
    await this.reload();
    return state;
  }

  async logout(name: string): Promise<boolean> {
    const wasThere = await this.#logins.logOut(await this.#configured.config(name));
    await this.reload();
    return wasThere;
  }

  async switch(name: string, isOn: boolean): Promise<void> {
    await this.#configured.switch(name, isOn);
    await this.reload();
  }

  async reload(): Promise<void> {
    const offers = await this.#started();
    this.#used = undefined;
    await Promise.all(offers.map(({link}) => link.close()));
    this.#guests.changed();
  }

  async rootsChanged(): Promise<void> {
    for (const {link} of await this.#started())
      await (await link.current())?.client.sendRootsListChanged().catch(() => undefined);
  }

  attach(guest: ServerGuest): () => void {
    const detach = this.#guests.attach(guest);
    return () => {
      this.#updates.forget(guest.session);
      detach();
    };
  }

  follow(changed: () => void): () => void {
    return this.#guests.follow(changed);
  }

  readonly complete: Mcp['complete'] = (...wish) => this.#extras.complete(...wish);
  readonly instructions: Mcp['instructions'] = () => this.#extras.instructions();
  readonly prompt: Mcp['prompt'] = (...wanted) => this.#extras.prompt(...wanted);
  readonly prompts: Mcp['prompts'] = () => this.#extras.prompts();
  readonly resource: Mcp['resource'] = (...wanted) => this.#extras.resource(...wanted);
  readonly resources: Mcp['resources'] = () => this.#extras.resources();
  readonly stale: Mcp['stale'] = async (session) => this.#updates.stale(session);

  async tools(): Promise<readonly SourcedTool[]> {
    const {owners, clashes} = collectTools(await this.#learned());
    for (const sentence of clashes) this.#tell({code: 'MCP_TOOL_LEFT_OUT', sentence});
    this.#owners = owners;
    return [...owners.values()].map(({tool}) => tool.sourced);
  }

  async run(name: string, input: unknown, watch: CallWatch): Promise<ToolResult> {
    const owner = this.#owners.get(name);
    if (!owner) throw new ToolError('MCP_TOOL_GONE', `No MCP server has the tool ${name} now.`);
    const {offer, tool} = owner;
    const {config, link} = offer;
    const isConfirmed = (await link.current()) !== undefined;
    const server = await link.use(watch.signal);
    // What was remembered may no longer hold.
    if (!isConfirmed) await offer.confirm(server, tool, watch.signal);
    return this.#guests.during({server: config.name, session: watch.session}, () =>
      this.#logins.during(config, () => callServer({config, link, tool: tool.remote, input, watch})),
    );
  }

  async close(): Promise<void> {
    await Promise.all((await this.#started()).map(({link}) => link.close()));
    (await this.#processes)?.close();
  }

  /** The servers in use, with what they offer. */
  async #learned(): Promise<readonly ServerOffer[]> {
    const offers = [...(await this.#inUse()).values()];
    await Promise.all(offers.map((offer) => offer.learn()));
    return offers;
  }

  /** The servers in use that have been asked for so far. */
  async #started(): Promise<readonly ServerOffer[]> {
    return [...((await this.#used?.catch(() => undefined))?.values() ?? [])];
  }

  #inUse(): Promise<ReadonlyMap<string, ServerOffer>> {
    return (this.#used ??= this.#configured.list().then((configured) => {
      const used = new Map<string, ServerOffer>();
      for (const {name, config, leftOut} of configured) {
        if (config && !leftOut) used.set(name, this.#use(config));
        else if (leftOut && TOLD.has(leftOut.reason))
          this.#tell({code: 'MCP_SERVER_LEFT_OUT', sentence: leftOut.sentence});
      }
      return used;
    }));
  }

  #use(config: ServerConfig): ServerOffer {
    const {signal, tell} = this.context;
    return new ServerOffer({
      config,
      link: new ServerLink(config, (one, end) => this.#logins.during(one, () => this.#open(one, end))),
      memory: this.#memory,
      signal,
      tell: (notice) => tell(notice),
      during: (act) => this.#logins.during(config, act),
      changed: () => this.#guests.changed(),
    });
  }

  async #open(config: ServerConfig, signal: AbortSignal): Promise<OpenServer> {
    const {environment, service} = this.context;
    const log = new ServerLog(this.#logFile(config.name));
    const opening = openServer({
      config,
      environment,
      version: this.#version,
      processes: () => (this.#processes ??= makeProcesses(environment.platform)),
      confine: (program) => confineServer(this.context, program),
      network: await service('network'),
      fetchFor: (one, sdk) => this.#logins.fetchFor(one, sdk),
      log,
      signal,
      ears: {
        roots: () => this.#guests.roots(),
        elicit: (request, end) => this.#guests.elicit(config.name, request, end),
        ...(config.sampling ? {sample: (request, end) => this.#sampling.answer(config, request, end)} : {}),
        changed: () => void this.#relist(config.name),
        updated: (uri) => this.#updates.change({server: config.name, uri}),
        log: (level, text) => this.#hear(config.name, level, text),
      },
    });
    const server = await opening.catch(async (error: unknown) => {
      await log.close();
      throw error;
    });
    server.ended.addEventListener('abort', () => void log.close(), {once: true});
    return server;
  }

  /** Never rejects: a server that cannot list its tools now keeps those it had. */
  async #relist(name: string): Promise<void> {
    const offer = (await this.#started()).find(({config}) => config.name === name);
    const server = await offer?.link.current();
    if (!offer || !server) return;
    await offer.refresh(server, this.context.signal).catch(() => undefined);
    this.#guests.changed();
  }

  #hear(server: string, level: string, text: string): void {
    const sentence = `The MCP server "${server}" reports: ${text.slice(0, 300)}`;
    if (LOUD.has(level)) this.#tell({code: 'MCP_SERVER_LOG', sentence});
  }

  #tell(notice: Omit<Notice, 'once'>): void {
    this.context.tell({...notice, once: notice.sentence});
  }

  #logFile(name: string): string {
    return join(this.#folder, 'logs', `${encodeURIComponent(name).replaceAll('.', '%2E').slice(0, 120)}.log`);
  }
}
