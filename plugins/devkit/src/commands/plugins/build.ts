import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/kernel/oclif';

interface Built {
  readonly name: string;
  readonly contributions: Readonly<Record<string, number>>;
}

export default class PluginsBuild extends KernelCommand {
  static override summary = 'Write the manifest of a compiled plugin.';
  static override description = 'Reads the folders of the compiled plugin (dist/tools, dist/services, …) and writes gemini.plugin.json and oclif.manifest.json. Compile first, with tsc for example.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> ../my-plugin'];
  static override args = {directory: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true})};

  async run(): Promise<Built> {
    const {args} = await this.parse(PluginsBuild);
    const {writeManifests} = await import('../../write-manifests.js');
    const manifest = await writeManifests(resolve(this.kernel.environment.cwd, args.directory));
    const {tools, services, hooks, listeners, commands, flags} = manifest;
    const contributions = Object.fromEntries(Object.entries({tools, services, hooks, listeners, commands, flags}).map(([kind, list]) => [kind, list.length]));
    const counted = Object.entries(contributions).filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, '') : kind}`);
    this.log(`Built ${manifest.name} ${manifest.version}: ${counted.join(', ') || 'no contributions'}.`);
    if (counted.length === 0) this.log(this.style('warn', 'Nothing was found in dist/tools, dist/services, dist/hooks, dist/listeners, dist/commands or dist/flags. Was it compiled?'));
    return {name: manifest.name, contributions};
  }
}
