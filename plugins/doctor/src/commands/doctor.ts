import {Args} from '@oclif/core';
import type {} from '@gemini-kernel/admission/contract';
import type {ForeignWriter} from '@gemini-kernel/files';
import {findNearest, KernelError} from '@gemini-kernel/kernel';
import type {CatalogPlugin, GuardReport, Refusal} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/command';
import {examineApart, findStrangers} from '../examine-apart.js';
import {examinePlugin, type Examined} from '../examine-plugin.js';
import {proveGuards, type SourcedProof} from '../prove-guards.js';
import type {PluginProcesses} from '../contract.js';
import {findProcesses, sayProcesses} from '../find-processes.js';
import {findUnsafeFiles} from '../find-unsafe-files.js';

interface Diagnosis {
  readonly version: string;
  readonly node: string;
  readonly places: Readonly<Record<string, string>>;
  readonly plugins: readonly Examined[];
  readonly leftOut: readonly Refusal[];
  readonly guards: readonly GuardReport[];
  /** Guards that are not plugins, such as hooks. */
  readonly proofs: readonly SourcedProof[];
  /** Plugins that run, or ran, in processes of their own. */
  readonly processes: readonly PluginProcesses[];
  /** The person's files that other users can write. */
  readonly unsafe: readonly ForeignWriter[];
}

export default class Doctor extends KernelCommand {
  static override summary = 'Show which plugins are present, their state and their cost.';
  static override description =
    'Imports the code of every plugin and creates its services once, which a normal start never does. An ' +
    'installed plugin is loaded in a separate process, with a time limit. Each guard of tool calls gets a ' +
    'call that it must refuse, and each hook that guards gets the event that its probe declares. "load" is the time ' +
    'to import all of a plugin\'s code, "create" the time its services take to start; the first plugin that uses a ' +
    'shared library pays for it. The exit code is 1 when a plugin is broken or was left out, a guard is down, or ' +
    'other users can write your files.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override args = {plugin: Args.string({description: 'Plugin to examine; all by default.'})};
  static override slash = true;

  async run(): Promise<Diagnosis> {
    const {args} = await this.parse(Doctor);
    if (args.plugin !== undefined) return this.examineOne(args.plugin);
    const apart = await this.examineInstalled();
    const {catalog, environment} = this.kernel;
    const plugins: Examined[] = [];
    for (const [name, {origin}] of catalog.plugins) {
      if (origin === 'core') plugins.push(await examinePlugin(this.kernel, this.conversation, name));
    }
    plugins.push(...apart);
    const installs = await (await this.service('installs')).places();
    const places = {home: environment.home, cache: environment.cacheDir, plugins: installs.user.lock};
    const guards = await this.conversation.guards();
    const proofs = await proveGuards(catalog.services.keys(), this.conversation, this.host.signal);
    const deadly = new Set(apart.filter(({isDeadly}) => isDeadly).map(({name}) => name));
    const leftOut = catalog.refused.filter(({name}) => !deadly.has(name));
    const processes = await findProcesses(catalog.services.keys(), this.conversation);
    const unsafe = findUnsafeFiles({...environment, installs});
    const diagnosis: Diagnosis = {
      version: this.config.version,
      node: this.host.node,
      places,
      plugins,
      leftOut,
      guards,
      proofs,
      processes: [...processes.values()],
      unsafe,
    };
    this.show(diagnosis);
    this.showUnsafe(unsafe);
    if (unsafe.length > 0) this.host.end(1);
    if (
      plugins.some(({state}) => state === 'broken') ||
      leftOut.length > 0 ||
      [...guards, ...proofs].some(({state}) => state === 'down')
    )
      this.host.end(1);
    return diagnosis;
  }

  /** Examines one plugin in this process, without the others that were installed. Throws KernelError PLUGIN_UNKNOWN. */
  private async examineOne(name: string): Promise<Diagnosis> {
    const {plugins, services, refused} = this.host.catalog;
    const leftOut = refused.filter((one) => one.name === name);
    if (!plugins.has(name) && leftOut.length === 0) {
      const near = findNearest(name, [...plugins.keys()]);
      throw new KernelError('PLUGIN_UNKNOWN', `There is no plugin ${name}.`, {
        hint: near[0] ? `Did you mean ${near[0]}?` : 'gemini plugins list shows what is installed.',
      });
    }
    if (!this.host.live) this.host.leaveOut(findStrangers(plugins, (service) => services.get(service)?.plugin, name));
    const found = plugins.has(name) ? [await examinePlugin(this.kernel, this.conversation, name)] : [];
    const diagnosis: Diagnosis = {
      version: this.config.version,
      node: this.host.node,
      places: {},
      plugins: found,
      leftOut,
      guards: [],
      proofs: [],
      processes: [...(await findProcesses(services.keys(), this.conversation)).values()].filter(
        ({plugin}) => plugin === name,
      ),
      unsafe: [],
    };
    for (const one of found) this.showPlugin(one, name.length, diagnosis.processes);
    for (const {reason} of leftOut) this.log(`${this.style('bad', '✗')} ${name}  left out: ${reason}`);
    if (found.some(({state}) => state === 'broken') || leftOut.length > 0) this.host.end(1);
    return diagnosis;
  }

  /** Examines installed plugins in separate processes, and excludes those that would end this one. */
  private async examineInstalled(): Promise<readonly Examined[]> {
    const installed = [...this.host.catalog.plugins.values()].filter(({origin}: CatalogPlugin) => origin !== 'core');
    const found: Examined[] = [];
    for (const plugin of installed) found.push(await examineApart(this.host, plugin));
    const deadly = found.filter(({isDeadly}) => isDeadly).map(({name, causes}) => [name, causes.join(' ')] as const);
    if (deadly.length > 0 && !this.host.live) this.host.leaveOut(new Map(deadly));
    return found;
  }

  private showPlugin(
    {name, version, origin, state, causes, says, adds, loadMs, createMs}: Examined,
    width: number,
    processes: Diagnosis['processes'],
  ): void {
    const mark = state === 'works' ? this.style('good', '✓') : this.style('bad', '✗');
    const what = Object.entries(adds)
      .map(([kind, size]) => `${size} ${size === 1 ? kind.replace(/s$/, '') : kind}`)
      .join(', ');
    const times = `load ${loadMs.toFixed(1).padStart(6)} ms  create ${createMs.toFixed(1).padStart(6)} ms`;
    this.log(`${mark} ${name.padEnd(width)}  ${version}  ${origin.padEnd(4)}  ${times}  ${this.style('dim', what)}`);
    const own = processes.filter(({plugin}) => plugin === name).flatMap(sayProcesses);
    for (const line of [...says, ...own]) this.log(`    ${this.style('dim', line)}`);
    for (const cause of causes) this.log(`    ${this.style('bad', cause)}`);
  }

  private showGuard(state: SourcedProof['state'], name: string, reason: string): void {
    const style = state === 'proven' ? 'good' : state === 'down' ? 'bad' : state === 'off' ? 'dim' : 'warn';
    this.log(`${this.style(style, state.padEnd(8))}  ${name}  ${this.style('dim', reason)}`);
  }

  private showUnsafe(unsafe: Diagnosis['unsafe']): void {
    if (unsafe.length === 0) return;
    this.log('\nOther users can write these files, so gemini ignores them. Check their content, then run:');
    for (const {path, reason, repair} of unsafe) {
      this.log(`  ${repair}  ${this.style('dim', `# ${reason.replace(/^it/, path)}`)}`);
    }
  }

  private show({version, node, places, plugins, leftOut, guards, proofs, processes}: Diagnosis): void {
    this.log(`gemini ${version} on node ${node}`);
    for (const [name, path] of Object.entries(places)) this.log(this.style('dim', `${name.padEnd(8)} ${path}`));
    this.log('');
    const width = Math.max(...[...plugins, ...leftOut].map(({name}) => name.length), 0);
    for (const plugin of plugins) this.showPlugin(plugin, width, processes);
    for (const {name, reason} of leftOut)
      this.log(`${this.style('bad', '✗')} ${name.padEnd(width)}  left out: ${reason}`);
    this.log('');
    this.log(
      guards.length === 0
        ? this.style('warn', 'No plugin guards tool calls: every call needs approval.')
        : 'Guards of tool calls, each given a call that it must refuse:',
    );
    for (const {plugin, state, reason} of guards) this.showGuard(state, plugin, reason);
    if (proofs.length > 0) this.log('\nHooks that guard, each given the event that its probe declares:');
    for (const {name, details, state, reason} of proofs) this.showGuard(state, `${name} (${details})`, reason);
    const broken = plugins.filter(({state}) => state === 'broken').length;
    this.log('');
    this.log(
      broken + leftOut.length === 0
        ? `All ${plugins.length} plugins work. None of their code runs before it is needed.`
        : `${broken} broken, ${leftOut.length} left out, ${plugins.length - broken} work.`,
    );
  }
}
