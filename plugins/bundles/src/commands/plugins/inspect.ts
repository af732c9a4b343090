import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {InspectedPlugin} from '../../install/inspect-plugin.js';

export default class PluginsInspect extends InstallCommand {
  static override summary = 'Show everything that is known about a plugin, installed or not.';
  static override description =
    'For an installed plugin: what its manifest and its lock say, without a network. Any other plugin is ' +
    'fetched, checked and shown as `gemini plugins install` shows it; nothing is installed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello@2.0.0',
    '<%= config.bin %> <%= command.id %> ./plugin-hello-1.0.0.tgz',
  ];
  static override strict = false;
  static override usage = 'plugins inspect PLUGIN...';
  static override flags = {
    registry: Flags.string({description: 'Registry to use instead of the configured one.'}),
    verbose: Flags.boolean({
      char: 'v',
      description: 'List the dependencies and where they are placed.',
      default: false,
    }),
  };

  async run(): Promise<readonly InspectedPlugin[]> {
    const {argv, flags} = await this.parse(PluginsInspect);
    const [{installerOfCommand}, {inspectPlugin, inspectLines}, {sayWhenSlow}, {findNamed}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/inspect-plugin.js'),
      import('../../install/say-when-slow.js'),
      import('../../install/source/find-named.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      flags,
    );
    const specs = argv.length > 0 ? (argv as string[]) : await findNamed(installer, []);
    const inspected: InspectedPlugin[] = [];
    for (const spec of specs) {
      const one = await sayWhenSlow(installer.tell, `Getting ${spec} …`, () => inspectPlugin(installer, spec));
      for (const line of inspectLines(one, {verbose: flags.verbose, now: installer.now()})) this.log(line);
      inspected.push(one);
    }
    return inspected;
  }
}
