import {isAbsolute} from 'node:path';
import {KernelError, ToolError, type ServiceContext} from '@gemini-kernel/kernel';
import type {OtherLogin, OtherLogins} from '@gemini-kernel/plugin-mcp/contract';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {AgentLoginDesk, AgentLoginState} from './contract.js';
import type {AgentFolder, AgentInfo, AgentRun, FoundAgents, RunWatch, Subagents} from './contract.js';
import {Acknowledgements} from './definition/acknowledgements.js';
import {listRoots} from './definition/agent-roots.js';
import {findAgents, type Found} from './definition/find-agents.js';
import {MOST_DEPTH} from './running/depth.js';
import {readDefinition} from './definition/read-definition.js';
import {runAgent} from './running/run-agent.js';
import {Slots} from './running/slots.js';
import {folderItem} from './source-items.js';

/** Agents that work at once for one session. */
const MOST_AT_ONCE = 20;

/** The agents of one session. They are looked for at first use, and again with each `refresh`. */
export class LiveSubagents implements Subagents {
  readonly #followers = new Set<() => void>();
  readonly #slots = new Slots(MOST_AT_ONCE);
  readonly #ended: AgentRun[] = [];
  /** From files that the person named. */
  readonly #lent = new Map<string, AgentInfo>();
  #found: Promise<Found> | undefined;

  constructor(private readonly context: ServiceContext) {}

  async list(): Promise<FoundAgents> {
    const {agents, faults} = await this.#all();
    return {agents: [...this.#lent.values(), ...agents.filter(({name}) => !this.#lent.has(name))], faults};
  }

  async waiting(): Promise<readonly AgentInfo[]> {
    return (await this.#all()).waiting.map(({definition, file, warnings}) => ({
      ...{...definition, file, warnings},
      ...{origin: 'project', enabled: true},
    }));
  }

  async choose(name: string, model: string): Promise<void> {
    this.#lent.set(name, {...(await this.#named(name)), model});
  }

  async lend(file: string): Promise<AgentInfo> {
    const {definition, warnings} = await readDefinition(file);
    const agent: AgentInfo = {...definition, origin: 'user', file, enabled: true, warnings};
    this.#lent.set(agent.name, agent);
    for (const changed of this.#followers) changed();
    return agent;
  }

  async refresh(): Promise<void> {
    const before = this.#found && JSON.stringify(await this.#found);
    this.#found = undefined;
    const found = await this.#all();
    this.#tell(found);
    if (before !== undefined && before !== JSON.stringify(found)) for (const changed of this.#followers) changed();
  }

  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => this.#followers.delete(changed);
  }

  async runs(): Promise<readonly AgentRun[]> {
    return this.#ended;
  }

  async run({name, prompt}: {readonly name: string; readonly prompt: string}, watch: RunWatch): Promise<AgentRun> {
    const agent = await this.#named(name);
    const running = await this.context.service('running-agents');
    const depth = ((await running.of(this.context.session.id))?.depth ?? 0) + 1;
    if (depth > MOST_DEPTH)
      throw new ToolError('AGENT_DEPTH', `Agents call each other no deeper than ${MOST_DEPTH} levels.`, {
        hint: 'Do it yourself, or report what is left to do.',
      });
    const run = await this.#slots.during(watch.signal, () =>
      runAgent({context: this.context, running, depth}, {agent, prompt}, watch),
    );
    this.#ended.push(run);
    return run;
  }

  async login(name: string, desk: AgentLoginDesk): Promise<AgentLoginState> {
    const {logins, login} = await this.#login(name, desk.signal);
    return {name, ...(await logins.logIn(login, desk))};
  }

  async logout(name: string): Promise<boolean> {
    const {logins, login} = await this.#login(name, this.context.signal);
    return logins.logOut(login);
  }

  async #login(name: string, signal: AbortSignal): Promise<{logins: OtherLogins; login: OtherLogin}> {
    const agent = await this.#named(name);
    const {remote} = agent;
    if (remote?.login?.kind !== 'oauth') throw noLogin(agent);
    const {otherLogin, otherLogins} = await import('./running/remote-login.js');
    const logins = await otherLogins(this.context, name);
    return {logins, login: await otherLogin(this.context, {...agent, remote}, signal)};
  }

  async acknowledge(names: readonly string[]): Promise<readonly string[]> {
    const {waiting} = await this.#all();
    const meant = waiting.filter(({definition}) => names.length === 0 || names.includes(definition.name));
    const unknown = names.find((name) => !meant.some(({definition}) => definition.name === name));
    if (unknown !== undefined) throw unknownAgent(`No agent "${unknown}" of this project waits for you.`);
    await (await this.#acknowledgements()).add(meant);
    await this.refresh();
    return meant.map(({definition}) => definition.name);
  }

  #all(): Promise<Found> {
    return (this.#found ??= this.#find().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    }));
  }

  async #find(): Promise<Found> {
    const {environment, service} = this.context;
    const [settings, trust] = await Promise.all([service('settings'), service('trust')]);
    return findAgents({
      settings,
      roots: await listRoots({environment, folders: await this.#folders()}),
      isTrusted: await trust.may('agents'),
      acknowledged: async () => (await this.#acknowledgements()).read(),
    });
  }

  async #acknowledgements(): Promise<Acknowledgements> {
    return new Acknowledgements(this.context.environment, await this.context.service('config-files'));
  }

  /** Folders of extensions. Those of an installed plugin are named after it. */
  async #folders(): Promise<readonly AgentFolder[]> {
    const listed = await this.context.sources<AgentFolder>('agent-folders', folderItem);
    return listed.flatMap(({items, isOurs, plugin}) =>
      items
        .filter(({path}) => isAbsolute(path))
        .map((folder) => (isOurs ? folder : {path: folder.path, owner: `${folder.owner} (${plugin})`})),
    );
  }

  async #named(name: string): Promise<AgentInfo> {
    const {agents, faults} = await this.list();
    const found = agents.find((agent) => agent.name === name);
    if (found?.enabled) return found;
    if (found) throw unknownAgent(`The agent "${name}" is disabled.`, `gemini agents enable ${name}`);
    const fault = faults.find(({file}) => file.endsWith(`/${name}.md`) || file.endsWith(`\\${name}.md`));
    if (fault) throw unknownAgent(`There is no agent "${name}": ${fault.file} ${fault.reason}.`);
    const others = agents.filter(({enabled}) => enabled).map((agent) => agent.name);
    throw unknownAgent(`There is no agent "${name}".`, `There are: ${others.slice(0, 20).join(', ')}.`);
  }

  #tell({faults}: FoundAgents): void {
    for (const {file, reason, kind} of faults) {
      const sentence = `The agent in ${file} ${reason}.`;
      if (kind !== 'untrusted') this.context.tell({code: 'AGENT_LEFT_OUT', sentence, once: sentence});
    }
  }
}

function unknownAgent(sentence: string, hint?: string): ToolError {
  return new ToolError('AGENT_UNKNOWN', sentence, hint === undefined ? {} : {hint});
}

function noLogin({name, remote}: AgentInfo): KernelError {
  const isGoogle = remote?.login?.kind === 'google';
  return new KernelError('AGENT_NO_LOGIN', `The agent "${name}" has no login of its own.`, {
    hint: isGoogle
      ? 'Its tokens come from the credentials of Google: gcloud auth application-default login.'
      : 'Only a remote agent whose `auth` has `type: oauth` has one.',
  });
}
