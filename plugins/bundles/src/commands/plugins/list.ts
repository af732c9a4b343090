import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {ListedPlugin} from '../../install/report/list-plugins.js';

export default class PluginsList extends InstallCommand {
  static override summary = 'List the installed plugins.';
  static override description = 'Also shows plugins that may not load, and why.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --core',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override aliases = ['plugins'];
  static override flags = {core: Flags.boolean({description: 'Also show the plugins of the product.', default: false})};

  async run(): Promise<readonly ListedPlugin[]> {
    const {flags} = await this.parse(PluginsList);
    const {listPlugins} = await import('../../install/report/list-plugins.js');
    const plugins = await listPlugins(await this.surroundings(), this.host.catalog, {core: flags.core});
    if (plugins.length === 0) this.log('No plugins are installed.');
    const width = (pick: (one: ListedPlugin) => string): number =>
      Math.max(0, ...plugins.map((one) => pick(one).length));
    const [names, versions] = [width(({name}) => name), width(({version}) => version)];
    for (const {name, version, state, scope, from, signer, reason} of plugins) {
      const tail = [scope, from, ...(signer ? [`signed by ${signer}`] : [])].join(', ');
      const trouble =
        state === 'refused'
          ? this.style('bad', `  refused: ${reason ?? ''}`)
          : state === 'shadowed'
            ? this.style('warn', '  not loaded: another plugin with this name takes precedence')
            : '';
      this.log(
        `${this.style('strong', name.padEnd(names))}  ${version.padEnd(versions)}  ` +
          `${this.style('dim', tail)}${trouble}`,
      );
    }
    return plugins;
  }
}
