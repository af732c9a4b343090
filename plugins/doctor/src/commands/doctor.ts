import type {GuardReport, Refusal} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import {examinePlugin, type Examined} from '../examine-plugin.js';

interface Diagnosis {
  readonly version: string;
  readonly node: string;
  readonly places: Readonly<Record<string, string>>;
  readonly plugins: readonly Examined[];
  readonly leftOut: readonly Refusal[];
  readonly guards: readonly GuardReport[];
}

export default class Doctor extends KernelCommand {
  static override summary = 'Say which plugins are there, in what state, why, and what they cost.';
  static override description =
    'Imports the code of every plugin and creates its services once, which an ordinary start never does. Each guard of tool calls is given a call that it must refuse. "load" is the time to import all of a plugin\'s code, "create" the time its services take to start; the first plugin that uses a shared library pays for it. The exit code is 1 when a plugin is broken or was left out, or a guard is down.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Diagnosis> {
    await this.parse(Doctor);
    const {catalog, environment} = this.kernel;
    const plugins: Examined[] = [];
    for (const name of catalog.plugins.keys()) plugins.push(await examinePlugin(this.kernel, this.conversation, name));
    const places = {home: environment.home, cache: environment.cacheDir, plugins: environment.installs.user.lock};
    const guards = await this.conversation.guards();
    const diagnosis: Diagnosis = {version: this.config.version, node: this.host.node, places, plugins, leftOut: catalog.refused, guards};
    this.show(diagnosis);
    if (plugins.some(({state}) => state === 'broken') || catalog.refused.length > 0 || guards.some(({state}) => state === 'down')) this.host.end(1);
    return diagnosis;
  }

  private show({version, node, places, plugins, leftOut, guards}: Diagnosis): void {
    this.log(`gemini ${version} on node ${node}`);
    for (const [name, path] of Object.entries(places)) this.log(this.style('dim', `${name.padEnd(8)} ${path}`));
    this.log('');
    const width = Math.max(...[...plugins, ...leftOut].map(({name}) => name.length), 0);
    for (const {name, version: own, origin, state, causes, says, adds, loadMs, createMs} of plugins) {
      const mark = state === 'works' ? this.style('good', '✓') : this.style('bad', '✗');
      const what = Object.entries(adds).map(([kind, size]) => `${size} ${size === 1 ? kind.replace(/s$/, '') : kind}`).join(', ');
      this.log(`${mark} ${name.padEnd(width)}  ${own}  ${origin.padEnd(4)}  load ${loadMs.toFixed(1).padStart(6)} ms  create ${createMs.toFixed(1).padStart(6)} ms  ${this.style('dim', what)}`);
      for (const line of says) this.log(`    ${this.style('dim', line)}`);
      for (const cause of causes) this.log(`    ${this.style('bad', cause)}`);
    }
    for (const {name, reason} of leftOut) this.log(`${this.style('bad', '✗')} ${name.padEnd(width)}  left out: ${reason}`);
    this.log('');
    this.log(guards.length === 0 ? this.style('warn', 'No plugin guards tool calls: every one of them is asked.') : 'Guards of tool calls, each given a call that it must refuse:');
    for (const {plugin, state, reason} of guards) this.log(`${this.style(state === 'proven' ? 'good' : state === 'down' ? 'bad' : 'warn', state.padEnd(8))}  ${plugin}  ${this.style('dim', reason)}`);
    const broken = plugins.filter(({state}) => state === 'broken').length;
    this.log('');
    this.log(broken + leftOut.length === 0 ? `All ${plugins.length} plugins work. None of their code runs before it is needed.` : `${broken} broken, ${leftOut.length} left out, ${plugins.length - broken} work.`);
  }
}
