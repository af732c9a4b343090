import {isKernelError, KernelError} from '@gemini-kernel/kernel';
import {boot, createCatalog, type Catalog, type Kernel, type Session} from '@gemini-kernel/kernel/host';
import type {} from '@gemini-kernel/plugin-agent/contract';
import {readAdministrator, requireManaged} from './administrator.js';
import {checkTool} from './define-tool.js';
import {sdkErrors} from './errors.js';
import {findPlugins} from './find-plugins.js';
import type {AgentOptions} from './options.js';
import {makeOwnPlugin, type OwnPlugin} from './own-plugin.js';
import {importFile, readProduct, type Product} from './product.js';
import {AgentSession} from './session.js';
import {findFolder, settleSurroundings, type Settled} from './surroundings.js';

export interface SessionOptions {
  /** A recorded session to continue, by its id, or `latest`. A new one unless given. */
  readonly id?: string;
}

/** An agent in a program: a folder, rules, tools and a model, with any number of sessions. */
export class Agent {
  readonly #kernel: Kernel;
  readonly #settled: Settled;
  /** Keeps the place open that the sessions share. */
  readonly #holder: Session;
  readonly #sessions = new Set<AgentSession>();
  #disposing: Promise<void> | undefined;

  constructor(kernel: Kernel, settled: Settled) {
    this.#kernel = kernel;
    this.#settled = settled;
    this.#holder = kernel.open({interactive: false});
  }

  /** Opens a session. Throws KernelError SDK_CLOSED, or what keeps the session from beginning. */
  async session({id}: SessionOptions = {}): Promise<AgentSession> {
    this.#check();
    const conversations = await this.#holder.service('conversations');
    const {interactive} = this.#kernel.environment;
    const state = await conversations
      .open({interactive, ...(id === undefined ? {} : {resume: id})})
      .catch((error: unknown) => Promise.reject(adviseTrust(error)));
    const session = new AgentSession(state.id, state.session, {
      conversations,
      directory: this.#kernel.environment.cwd,
      exitCodeOf: (code) => this.#kernel.catalog.exitCodeOf(code),
      onClosed: (closed) => this.#sessions.delete(closed),
    });
    this.#sessions.add(session);
    return session;
  }

  /** Plugins that were left out, with the reason. */
  get leftOut(): Catalog['refused'] {
    return this.#kernel.catalog.refused;
  }

  /** Ends every session and everything that it started. Leaves nothing but what runs have changed, and `home`. */
  dispose(): Promise<void> {
    return (this.#disposing ??= this.#dispose());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #dispose(): Promise<void> {
    for (const session of [...this.#sessions]) await session.close();
    await this.#kernel.close();
    await this.#settled.remove();
  }

  #check(): void {
    if (this.#disposing) throw new KernelError('SDK_CLOSED', 'The agent was disposed.', {hint: 'Make another one.'});
  }
}

/**
 * Makes an agent. No model is asked and nothing is written before the first prompt. Throws KernelError SDK_INVALID,
 * SDK_PLUGIN_REFUSED or MANAGED_UNMET.
 */
export async function createAgent(options: AgentOptions): Promise<Agent> {
  for (const tool of options.tools ?? []) checkTool(tool);
  for (const folder of options.skills ?? []) await findFolder('skills', folder);
  const administrator = await readAdministrator();
  const own = makeOwnPlugin(options);
  const given = await findPlugins(options.plugins ?? [], administrator);
  const product = await readProduct();
  const kept = product.plugins.filter(({manifest}) => !administrator.blocked.includes(manifest.name));
  const catalog = createCatalog([...kept, own.plugin, ...given], {host: {errors: sdkErrors}});
  requireManaged(administrator, catalog);
  refuseGiven(
    catalog,
    [own.plugin, ...given].map(({manifest}) => manifest.name),
  );
  const settled = await settleSurroundings(options, flagsOf(options));
  return new Agent(bootAgent(catalog, settled, {product, own, options}), settled);
}

/** The same refusal with what a program can do about it. */
function adviseTrust(error: unknown): unknown {
  if (!isKernelError(error) || error.code !== 'FOLDER_UNTRUSTED') return error;
  const {code, message, data} = error;
  return new KernelError(code, message, {
    ...{cause: error, data},
    hint:
      'Pass trusted: true if what the folder itself brings may count (settings, context files, hooks), or answer, so ' +
      'that someone can be asked.',
  });
}

function bootAgent(
  catalog: Catalog,
  {environment}: Settled,
  {product, own, options}: {readonly product: Product; readonly own: OwnPlugin; readonly options: AgentOptions},
): Kernel {
  const {onNotice, onSpan} = options;
  return boot(catalog, environment, {
    importFile: async (file) => own.moduleOf(file) ?? product.moduleOf(file) ?? importFile(file),
    ...(onNotice ? {print: (notice) => notify(() => onNotice(notice))} : {}),
    ...(onSpan ? {onSpan: (span) => notify(() => onSpan(span))} : {}),
  });
}

/** An error of a function of the program is the program's, and not that of a call. */
function notify(act: () => void): void {
  try {
    act();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** What a program gives must be there: an agent without its guard or its tools is not what was asked for. */
function refuseGiven({refused}: Catalog, names: readonly string[]): void {
  const first = refused.find(({name}) => names.includes(name));
  if (first)
    throw new KernelError('SDK_PLUGIN_REFUSED', `The plugin ${first.name} cannot be used: ${first.reason}.`, {
      hint: 'Build it for this version, or leave it out.',
    });
}

/** The settings that options stand for; those that are given by key win. */
function flagsOf({model, mode, policies, settings = {}, tools = []}: AgentOptions): Readonly<Record<string, unknown>> {
  const given = settings['tools.allowed'];
  // A program's own tool is its own code: it runs unless a rule says otherwise.
  const own = tools.filter(({asks}) => asks !== true).map(({name}) => name);
  return {
    ...(model === undefined ? {} : {'model.name': typeof model === 'string' ? model : 'sdk:own'}),
    ...(mode === undefined ? {} : {'general.defaultApprovalMode': mode}),
    ...(policies === undefined ? {} : {policyPaths: policies}),
    ...settings,
    ...(own.length > 0 ? {'tools.allowed': [...(Array.isArray(given) ? (given as string[]) : []), ...own]} : {}),
  };
}
