import {isToolError, messageOf, ToolError, type Notice} from '@gemini-kernel/kernel';
import type {ServerConfig} from '../config/server-config.js';
import type {OpenServer} from '../connection/open-server.js';
import type {ServerLink} from '../connection/server-link.js';
import {listExtras, noExtras, type Extras} from './extras.js';
import {listRemoteTools} from './list-remote.js';
import type {OfferMemory} from './offer-memory.js';
import {offerTools, type OfferedTool} from './offered-tools.js';

interface Parts {
  readonly config: ServerConfig;
  readonly link: ServerLink;
  readonly memory: OfferMemory;
  readonly signal: AbortSignal;
  tell(notice: Notice): void;
  /** Does something, after a login where the server asks for one. */
  during<T>(act: () => Promise<T>): Promise<T>;
  /** The list of a server is no longer what it was. */
  changed(): void;
}

/** How long listing waits for a server that was never seen. The tools of a slower one come later. */
const LISTING_MS = 30_000;

/** What one server in use offers, as far as is known. */
export class ServerOffer {
  #tools: readonly OfferedTool[] | undefined;
  #extras = noExtras;

  constructor(private readonly parts: Parts) {}

  get config(): ServerConfig {
    return this.parts.config;
  }

  get link(): ServerLink {
    return this.parts.link;
  }

  get tools(): readonly OfferedTool[] {
    return this.#tools ?? [];
  }

  get extras(): Extras {
    return this.#extras;
  }

  /** Takes what is remembered of the server, or connects to it. A server that fails is named and offers nothing. */
  async learn(): Promise<void> {
    if (this.#tools) return;
    const {config, link, memory, signal, tell, during} = this.parts;
    const remembered = await memory.read(config);
    if (remembered) {
      this.#tools = offerTools(config, remembered.tools).tools;
      this.#extras = remembered.extras;
      return;
    }
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)]);
    try {
      await during(async () => this.refresh(await link.use(waiting), waiting));
    } catch (error) {
      signal.throwIfAborted();
      this.#tools = [];
      if (!waiting.aborted) return this.#tellFailure(error);
      const sentence = `The MCP server "${config.name}" has not answered within ${LISTING_MS / 1000} seconds.`;
      tell({code: 'MCP_SERVER_FAILED', sentence});
      void this.#learnLate();
    }
  }

  async #learnLate(): Promise<void> {
    const {link, signal, changed, during} = this.parts;
    try {
      await during(async () => this.refresh(await link.use(signal), signal));
      changed();
    } catch (error) {
      if (!signal.aborted) this.#tellFailure(error);
    }
  }

  /** A login is the only failure that a person can end at once. */
  #tellFailure(error: unknown): void {
    const advice = isToolError(error) && error.code === 'MCP_LOGIN_NEEDED' ? ` ${error.hint ?? ''}` : '';
    this.parts.tell({code: 'MCP_SERVER_FAILED', sentence: `${messageOf(error)}${advice}`});
  }

  /** Asks the server for its list, and remembers it. */
  async refresh(server: OpenServer, signal: AbortSignal): Promise<readonly OfferedTool[]> {
    const {config, memory, tell} = this.parts;
    const options = {signal, timeout: config.timeoutMs};
    const [remote, extras] = await Promise.all([listRemoteTools(server, options), listExtras(server, options)]);
    const {tools, faults} = offerTools(config, remote);
    for (const fault of faults) tell({code: 'MCP_TOOL_LEFT_OUT', sentence: fault, once: fault});
    this.#tools = tools;
    this.#extras = extras;
    const {title, protocol} = server;
    if (extras.isWhole)
      await memory.write(config, {at: new Date().toISOString(), server: title, protocol, tools: remote, extras});
    return tools;
  }

  /** Throws ToolError MCP_TOOL_GONE when the server no longer has the tool that a model was shown. */
  async confirm(server: OpenServer, tool: OfferedTool, signal: AbortSignal): Promise<void> {
    const before = JSON.stringify(this.tools.map(({sourced}) => sourced));
    const tools = await this.refresh(server, signal);
    if (JSON.stringify(tools.map(({sourced}) => sourced)) === before) return;
    this.parts.changed();
    const now = tools.find(({remote}) => remote.name === tool.remote.name);
    if (now && JSON.stringify(now.sourced) === JSON.stringify(tool.sourced)) return;
    throw new ToolError(
      'MCP_TOOL_GONE',
      `The tool ${tool.sourced.name} ${now ? 'has changed' : 'is gone'}: the MCP server "${this.config.name}" ` +
        'lists other tools than before.',
      {hint: 'Look at the current list of tools, then call again.'},
    );
  }
}
