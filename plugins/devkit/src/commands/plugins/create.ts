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
  /** What to do next, as commands. */
  readonly next: readonly string[];
}

/** Makes a plugin to begin with. */
export default class PluginsCreate extends KernelCommand {
  static override summary = 'Make a new plugin: TypeScript, tested, ready to publish.';
  static override description =
    'Writes a package with what you ask for (a tool, unless you say otherwise), its tests and its README, then ' +
    'runs npm install in it for TypeScript. A name without a scope gets the prefix gemini-plugin-. Nothing is ' +
    'overwritten.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> weather',
    '<%= config.bin %> <%= command.id %> @acme/weather --command --service --directory ../weather',
  ];
  static override args = {
    name: Args.string({
      description: 'What it is called: weather, or @acme/weather.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    tool: Flags.boolean({description: 'A tool that a model can call.'}),
    command: Flags.boolean({description: 'A command for people.'}),
    hook: Flags.boolean({description: 'A listener that refuses some calls; with --service also a moment of its own.'}),
    service: Flags.boolean({description: 'A service for other plugins.'}),
    setting: Flags.boolean({description: 'A setting, with a tool that reads it.'}),
    directory: Flags.string({description: 'Folder to make it in; otherwise one with its name, here.'}),
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
    this.log(`Made ${plugin.name} in ${directory}:`);
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

  /** Whether npm could install what the plugin is developed with. The files stay when it could not. */
  private async install(directory: string): Promise<boolean> {
    const [{findNpm}, {runProgram}] = await Promise.all([import('../../find-npm.js'), import('../../run-program.js')]);
    const {environment} = this.kernel;
    if (environment.interactive) this.logToStderr('Running npm install there, for typescript and @types/node …');
    try {
      // Both may be in npm's cache, and nobody wants to wait a minute for a registry that is away.
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
    this.logToStderr('The files are there. Run npm install in their folder when this is mended.');
  }
}

/** What npm says went wrong, without where its log is. */
function reasonOf(stderr: string): string {
  const lines = stderr.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  return lines
    .filter(
      (line) => line !== '' && !line.startsWith('A complete log') && !/^(code|errno|syscall|network) \S*$/.test(line),
    )
    .slice(0, 2)
    .join(' ');
}
