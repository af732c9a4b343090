import type {ChildProcess} from 'node:child_process';
import {realpath} from 'node:fs/promises';
import {isKernelError, KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {CommandEntry} from '@gemini-kernel/kernel/host';
import {ProcessGroups} from '@gemini-kernel/processes';
import type {CallNote} from '@gemini-kernel/plugin-doctor/contract';
import type {ExitConnection, Sandbox} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {chooseMode} from './choose-mode.js';
import type {IsolatedPlugin, Isolation, IsolationMode, PluginRecord, RemoteRequest} from './contract.js';
import {GivenGrants} from './grants/given-grants.js';
import {remoteListener, remoteService, remoteTool} from './host/contributions.js';
import {remoteCommand} from './host/remote-command.js';
import {PluginProcess} from './host/plugin-process.js';
import {PluginWatch} from './host/plugin-watch.js';
import {memoryOf} from './host/process-memory.js';
import {dataFolderOf, readGrants, watchingFor, type Grants} from './host/read-grants.js';
import {greetingFor} from './host/read-tree.js';
import {startProgram} from './host/start-program.js';
import {UseLog} from './uses/use-log.js';
import {digestOf} from './wire/hello.js';

type Context = Pick<ServiceContext, 'environment' | 'service' | 'names' | 'tell'>;

/** What a person asks for who links a plugin. */
const TRIED = {mode: 'required', by: 'gemini plugins link --isolated'} as const;

/** The plugins of a place that run in processes of their own. */
export class PlaceIsolation implements Isolation {
  readonly #modes = new Map<string, ReturnType<Isolation['mode']>>();
  readonly #known = new Map<string, Promise<unknown>>();
  readonly #processes = new Map<string, PluginProcess>();
  readonly #groups: ProcessGroups;
  readonly #uses: UseLog;
  readonly #given: GivenGrants;
  #sandbox: Promise<Sandbox | undefined> | undefined;
  #fault: KernelError | undefined;

  constructor(private readonly context: Context) {
    this.#groups = new ProcessGroups(context.environment.platform);
    this.#given = new GivenGrants(() => context.service('settings'));
    this.#uses = new UseLog(context.environment.home, context.tell);
  }

  mode(plugin: string): ReturnType<Isolation['mode']> {
    const known = this.#modes.get(plugin) ?? this.context.service('settings').then((one) => chooseMode(one, plugin));
    this.#modes.set(plugin, known);
    return known;
  }

  async contribute(request: RemoteRequest): Promise<unknown> {
    const {name} = request.plugin.manifest;
    const {mode, by} = request.plugin.isolated ? TRIED : await this.mode(name);
    if (mode === 'off') return undefined;
    await this.#require(name, mode, by);
    const roots = await this.#rootsFor(request);
    if (request.kind === 'command') return remoteCommand(request, () => this.#commandProcess(request, roots));
    const process = this.#process(request, roots);
    const key = [process.key, request.entry.module, request.kind].join('\0');
    const known = this.#known.get(key) ?? this.#make(request, process);
    this.#known.set(key, known);
    // What could not be loaded once may be loaded by the next process.
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async state(): Promise<readonly IsolatedPlugin[]> {
    const isConfined = (await this.#sandbox) !== undefined;
    return [...this.#processes.values()].map((process) => ({
      plugin: process.plugin,
      state: process.isLeftOut ? 'left out' : process.pid === undefined ? 'idle' : 'running',
      ...describeProcess(process.pid),
      starts: process.starts,
      deaths: process.deaths.count,
      ...(process.deaths.last === undefined ? {} : {lastDeath: process.deaths.last}),
      isConfined,
    }));
  }

  records(plugin?: string): Promise<readonly PluginRecord[]> {
    return this.#uses.read(plugin);
  }

  async close(): Promise<void> {
    for (const process of this.#processes.values()) process.close();
    this.#groups.close();
    await this.#uses.flush();
  }

  async #make(request: RemoteRequest, process: PluginProcess): Promise<unknown> {
    const {plugin, entry, kind} = request;
    const has = (await process.request('load', [`${plugin.root}/${entry.module}`, kind])) as readonly string[];
    if (kind === 'tool') return remoteTool(request, has, process);
    return kind === 'listener' ? remoteListener(request, process) : remoteService(request, has, process);
  }

  isGranted(plugin: string, capability: string, call: string): Promise<boolean> {
    return this.#given.has(plugin, capability, call);
  }

  grant(plugin: string, capability: string, call?: string): void {
    this.#given.add(plugin, capability, call);
    this.#renew(plugin);
  }

  /** What a process sees is settled when it starts. */
  #renew(plugin: string): void {
    for (const process of this.#processes.values()) if (process.plugin === plugin) process.renew();
  }

  #endCall(plugin: string, call: string): void {
    if (this.#given.end(call)) this.#renew(plugin);
  }

  /** What a plugin declares, and what of its wishes was granted so far. */
  async #grantsOf({plugin: {manifest}}: RemoteRequest): Promise<{grants: Grants; capabilities: readonly string[]}> {
    const {name, capabilities: declared = [], optional = []} = manifest;
    const capabilities = [...declared, ...(await this.#given.of(name, optional))];
    return {capabilities, grants: readGrants(capabilities, this.context.environment)};
  }

  /** Those of the session; what lives longer than one has the directory of its place. */
  async #rootsFor({workspace, plugin: {manifest}}: RemoteRequest): Promise<readonly string[]> {
    const wishes = [...(manifest.capabilities ?? []), ...(manifest.optional ?? [])];
    if (readGrants(wishes, this.context.environment).workspace === 'none') return [];
    try {
      return (await (await workspace()).roots()).map(({path}) => path);
    } catch (error) {
      if (!isKernelError(error) || !['SERVICE_SCOPE', 'SERVICE_MISSING'].includes(error.code)) throw error;
      return [await realpath(this.context.environment.cwd)];
    }
  }

  /** Other roots need other mounts: the process that has the old ones ends when it has nothing to do. */
  #process(request: RemoteRequest, roots: readonly string[]): PluginProcess {
    const {root, manifest} = request.plugin;
    const {name: plugin} = manifest;
    const key = [plugin, digestOf(manifest), root, ...roots].join('\0');
    const known = this.#processes.get(key);
    if (known) return known;
    const made = new PluginProcess({
      ...this.#partsOf(request, roots),
      key,
      died: (reason, isLeftOut) => this.#tellOfDeath(plugin, reason, isLeftOut),
    });
    this.#processes.set(key, made);
    return made;
  }

  /** Each run of a command has its own, with its own output. How it ends is how the command ends. */
  #commandProcess(request: RemoteRequest, roots: readonly string[]): PluginProcess {
    const hasTerminal = (request.entry as CommandEntry).terminal === true;
    const key = `${request.plugin.manifest.name} ${this.context.environment.newId()}`;
    const made = new PluginProcess({...this.#partsOf(request, roots, {hasTerminal}), key});
    this.#processes.set(key, made);
    return made;
  }

  #partsOf(request: RemoteRequest, roots: readonly string[], command?: {hasTerminal: boolean}) {
    const {root, manifest} = request.plugin;
    const {name: plugin} = manifest;
    const {home} = this.context.environment;
    const data = dataFolderOf(home, plugin);
    const noteCall = (call: string, note: CallNote): Promise<void> => this.#noteCall(call, note);
    const endCall = (call: string): void => this.#endCall(plugin, call);
    const watch = new PluginWatch(this.#uses, manifest, {home, noteCall, endCall});
    return {
      plugin,
      watch,
      greeting: async () => {
        const {grants, capabilities} = await this.#grantsOf(request);
        return greetingFor(request, watchingFor(grants, {roots, own: [root, data]}, capabilities));
      },
      kill: (child: ChildProcess) => this.#groups.signal(child, 'SIGKILL'),
      start: async (signal: AbortSignal) => {
        const report = (connection: ExitConnection): void => watch.connected(connection);
        const {grants} = await this.#grantsOf(request);
        const parts = {plugin, root, data, grants, roots, sandbox: await this.#find(), signal, groups: this.#groups};
        return startProgram({...parts, report, ...(command ? {command} : {})});
      },
    };
  }

  async #noteCall(call: string, note: CallNote): Promise<void> {
    const {names, service} = this.context;
    if (names('journal').length === 0) return;
    // It tells the person itself when it cannot.
    await service('journal').then(
      (journal) => journal.note(call, note),
      () => undefined,
    );
  }

  /** Its calls fail with an error; what no one waits for fails without a word. */
  #tellOfDeath(plugin: string, reason: string, isLeftOut: boolean): void {
    if (isLeftOut)
      this.context.tell({
        level: 'error',
        code: 'PLUGIN_LEFT_OUT',
        sentence: `${plugin} is left out of this session: its process ended three times in a minute: ${reason}.`,
      });
    else
      this.context.tell({
        code: 'PLUGIN_DIED',
        once: `died ${plugin}`,
        sentence: `The process of ${plugin} ended: ${reason}.`,
      });
  }

  /** The sandbox, where it can be used. */
  #find(): Promise<Sandbox | undefined> {
    return (this.#sandbox ??= this.#look());
  }

  async #look(): Promise<Sandbox | undefined> {
    const {names, service} = this.context;
    if (names('sandbox').length === 0) return this.#lack('the plugin sandbox is not there', 'Add it to your bundle.');
    const sandbox = await service('sandbox');
    const {isPossible, fault, missing} = await sandbox.state();
    const lack = fault ?? missing;
    if (isPossible && !fault) return sandbox;
    return this.#lack(lack?.sentence ?? 'This machine has no sandbox.', lack?.hint ?? 'Run gemini sandbox status.');
  }

  #lack(sentence: string, hint: string): undefined {
    this.#fault = new KernelError('PLUGIN_UNISOLATED', sentence, {hint});
  }

  async #require(plugin: string, mode: IsolationMode, by: string): Promise<void> {
    if (await this.#find()) return;
    const {message = '', hint} = this.#fault ?? {};
    if (mode === 'required')
      throw new KernelError(
        'PLUGIN_UNISOLATED',
        `${plugin} must run in a process of its own (${by}), and cannot: ${message}`,
        {hint},
      );
    this.context.tell({
      code: 'PLUGINS_HALF_ISOLATED',
      once: 'half-isolated',
      sentence: `Installed plugins run in processes of their own; only Node confines them: ${message}`,
    });
  }
}

function describeProcess(pid: number | undefined): Pick<IsolatedPlugin, 'pid' | 'memory'> {
  if (pid === undefined) return {};
  const {now} = memoryOf(pid);
  return {pid, ...(now === undefined ? {} : {memory: now})};
}
