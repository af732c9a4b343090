import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';

interface Built {
  readonly name: string;
  readonly contributions: Readonly<Record<string, number>>;
}

/** Compiles a plugin and writes its manifests. */
export default class PluginsBuild extends KernelCommand {
  static override summary = 'Compile a plugin and write its manifest.';
  static override description =
    'Compiles if there is a tsconfig.json and a typescript in its node_modules, reads the compiled folders ' +
    '(dist/tools, dist/services, …) and writes gemini.plugin.json and oclif.manifest.json. The kernel, oclif and ' +
    'the plugins whose contracts it uses are linked into its node_modules from this program.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ../my-plugin --no-compile',
  ];
  static override args = {
    directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true}),
  };
  static override flags = {
    compile: Flags.boolean({description: 'Compile the plugin first.', default: true, allowNo: true}),
  };

  async run(): Promise<Built> {
    const {args, flags} = await this.parse(PluginsBuild);
    const [{writeManifests}, {preparePlugin}, {describeStale, findStaleModules}] = await Promise.all([
      import('../../write-manifests.js'),
      import('../../prepare-plugin.js'),
      import('../../find-stale-modules.js'),
    ]);
    const {environment} = this.kernel;
    const root = resolve(environment.cwd, args.directory);
    if (environment.interactive) this.logToStderr('Compiling, then reading its contributions …');
    const removed = await preparePlugin({
      root,
      catalog: this.host.catalog,
      compile: flags.compile,
      variables: environment.variables,
      signal: this.host.signal,
    });
    const manifest = await writeManifests(root);
    const {tools, services, hooks, listeners, commands, settings = []} = manifest;
    const contributions = Object.fromEntries(
      Object.entries({tools, services, hooks, listeners, commands, flags: manifest.flags, settings}).map(
        ([kind, list]) => [kind, list.length],
      ),
    );
    const counted = Object.entries(contributions)
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}`);
    this.log(`Built ${manifest.name} ${manifest.version}: ${counted.join(', ') || 'no contributions'}.`);
    if (counted.length === 0)
      this.log(
        this.style(
          'warn',
          'There are no contributions in dist/tools, dist/services, dist/hooks, dist/listeners, dist/commands, ' +
            'dist/flags or dist/settings. Did you compile the plugin?',
        ),
      );
    for (const module of removed) this.log(`Removed ${module}, which has no source.`);
    for (const module of await findStaleModules(root)) this.log(this.style('warn', describeStale(module)));
    return {name: manifest.name, contributions};
  }
}
