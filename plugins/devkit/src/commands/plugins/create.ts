import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {isKernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {PluginKind} from '../../new-plugin.js';

interface Created {
  readonly name: string;
  readonly directory: string;
  readonly files: readonly string[];
  readonly installed: boolean;
  /** The next steps, as commands. */
  readonly next: readonly string[];
}

/** Creates a new plugin. */
export default class PluginsCreate extends KernelCommand {
  static override summary = 'Create a new plugin: TypeScript, tested, ready to publish.';
  static override description =
    'Writes a package with the parts you choose (a tool by default), its tests and its README, then ' +
    'runs npm install in it for TypeScript. A name without a scope gets the prefix gemini-plugin-. Nothing is ' +
    'overwritten.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> weather',
    '<%= config.bin %> <%= command.id %> @acme/weather --command --service --directory ../weather',
  ];
  static override args = {
    name: Args.string({
      description: 'Name of the plugin: weather, or @acme/weather.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    tool: Flags.boolean({description: 'Add a tool that a model can call.'}),
    command: Flags.boolean({description: 'Add a command.'}),
    hook: Flags.boolean({
      description: 'Add a listener that refuses some calls; with --service also a moment of its own.',
    }),
    service: Flags.boolean({description: 'Add a service for other plugins.'}),
    setting: Flags.boolean({description: 'Add a setting, with a tool that reads it.'}),
    directory: Flags.string({
      description: 'Folder for the plugin; by default one with its name in the current directory.',
    }),
    install: Flags.boolean({description: 'Run npm install.', default: true, allowNo: true}),
  };

  async run(): Promise<Created> {
    const {args, flags} = await this.parse(PluginsCreate);
    const [{nameNewPlugin}, {createPlugin}, {lendPackages}] = await Promise.all([
      import('../../new-plugin.js'),
      import('../../create-plugin.js'),
      import('../../lend-packages.js'),
    ]);
    const asked = (['command', 'hook', 'service', 'setting'] as const).filter((kind) => flags[kind]);
    const hasTool = flags.tool || flags.setting || asked.length === 0;
    const plugin = nameNewPlugin(args.name, new Set<PluginKind>([...(hasTool ? (['tool'] as const) : []), ...asked]));
    const folder = flags.directory ?? plugin.folder;
    const directory = resolve(this.kernel.environment.cwd, folder);
    const files = await createPlugin(plugin, directory);
    this.log(`Created ${plugin.name} in ${directory}:`);
    for (const file of files) this.log(`  ${file}`);
    const installed = flags.install && (await this.install(directory));
    await lendPackages(directory, this.host.catalog);
    const next = [
      `cd ${/\s/.test(folder) ? `"${folder}"` : folder}`,
      ...(installed ? [] : ['npm install']),
      'gemini plugins test',
      'gemini plugins link .',
    ];
    this.log('Next:');
    for (const line of next) this.log(`  ${this.style('strong', line)}`);
    return {name: plugin.name, directory, files, installed, next};
  }

  /** Whether npm could install the development dependencies. If not, the files stay. */
  private async install(directory: string): Promise<boolean> {
    const [{findNpm}, {runProgram}] = await Promise.all([import('../../find-npm.js'), import('../../run-program.js')]);
    const {environment} = this.kernel;
    if (environment.interactive) this.logToStderr('Running npm install there, for typescript and @types/node …');
    try {
      // Both may be in npm's cache; do not wait a minute for an unreachable registry.
      const args = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=0', '--loglevel=error'];
      const {code, stderr} = await runProgram({
        program: await findNpm(environment),
        args,
        directory,
        variables: environment.variables,
        signal: this.host.signal,
      });
      if (code === 0) return true;
      this.warnUninstalled(`npm install ended with ${code ?? 'a signal'}: ${reasonOf(stderr)}`);
    } catch (error) {
      if (!isKernelError(error) || error.code !== 'NPM_MISSING') throw error;
      this.warnUninstalled(error.message);
    }
    return false;
  }

  private warnUninstalled(why: string): void {
    this.logToStderr(`Warning: typescript was not installed. ${why}`);
    this.logToStderr('The files are written. Fix the problem, then run npm install in their folder.');
  }
}

/** npm's error message, without the path of its log. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  return lines
    .filter(
      (line) => line !== '' && !line.startsWith('A complete log') && !/^(code|errno|syscall|network) \S*$/.test(line),
    )
    .slice(0, 2)
    .join(' ');
}
