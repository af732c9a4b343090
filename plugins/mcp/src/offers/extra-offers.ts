import {KernelError, type Part, type ToolResult} from '@gemini-kernel/kernel';
import type {CallWatch, Completion, ServerPrompt, ServerResource} from '../contract.js';
import {completeArgument, getPrompt, readResource} from '../results/read-content.js';
import type {ResourceUpdates} from './resource-updates.js';
import type {ServerOffer} from './server-offer.js';

interface Parts {
  readonly updates: Pick<ResourceUpdates, 'follow'>;
  /** The servers in use, each with what is known of it. */
  offers(): Promise<readonly ServerOffer[]>;
  /** Does something for a server, after a login where it asks for one. */
  during<T>(offer: ServerOffer, watch: Pick<CallWatch, 'session'>, act: () => Promise<T>): Promise<T>;
}

/** What servers offer beside tools: prompts, resources, and words about themselves. */
export class ExtraOffers {
  constructor(private readonly parts: Parts) {}

  async instructions(): Promise<readonly {readonly server: string; readonly text: string}[]> {
    return (await this.parts.offers())
      .map(({config, extras}) => ({server: config.name, text: extras.instructions}))
      .filter(({text}) => text.trim() !== '');
  }

  async prompts(): Promise<readonly ServerPrompt[]> {
    return this.#all(({prompts}) => prompts);
  }

  async resources(): Promise<readonly ServerResource[]> {
    return this.#all(({resources}) => resources);
  }

  async prompt(
    server: string,
    name: string,
    values: Readonly<Record<string, string>>,
    watch: CallWatch,
  ): Promise<readonly Part[]> {
    const offer = await this.#find(server);
    return this.parts.during(offer, watch, () => getPrompt(offer, name, values, watch));
  }

  async resource(
    {server, uri}: {readonly server?: string; readonly uri: string},
    watch: CallWatch,
  ): Promise<ToolResult> {
    const name = server ?? (await this.resources()).find((one) => one.uri === uri)?.server;
    if (name === undefined)
      throw new KernelError('MCP_SERVER_UNKNOWN', `No MCP server lists the resource ${uri}.`, {
        hint: 'Name the server that it belongs to.',
      });
    const offer = await this.#find(name);
    return this.parts.during(offer, watch, async () => {
      const read = await readResource(offer, uri, watch);
      const open = await offer.link.current();
      if (open) await this.parts.updates.follow({server: name, uri}, {session: watch.session, open});
      return read;
    });
  }

  async complete(server: string, wish: Completion, signal: AbortSignal): Promise<readonly string[]> {
    return completeArgument(await this.#find(server), wish, signal);
  }

  async #all<T extends object>(
    pick: (extras: ServerOffer['extras']) => readonly T[],
  ): Promise<readonly (T & {readonly server: string})[]> {
    return (await this.parts.offers()).flatMap(({config, extras}) =>
      pick(extras).map((one) => ({server: config.name, ...one})),
    );
  }

  async #find(server: string): Promise<ServerOffer> {
    const offers = await this.parts.offers();
    const found = offers.find(({config}) => config.name === server);
    if (found) return found;
    const names = offers.map(({config}) => config.name).join(', ') || 'none';
    throw new KernelError('MCP_SERVER_UNKNOWN', `No MCP server "${server}" is in use.`, {hint: `In use: ${names}.`});
  }
}
