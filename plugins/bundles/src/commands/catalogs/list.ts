import {KernelCommand} from '@gemini-kernel/command';
import type {SearchedSource} from '../../catalog/catalogs.js';

export default class CatalogsList extends KernelCommand {
  static override summary = 'List the catalogs that are searched, in their order.';
  static override description =
    'Reads or fetches each, and shows who signed it. The setting catalogs.sources names them: yours, and those of ' +
    'your administrator.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly catalogs: readonly SearchedSource[]}> {
    await this.parse(CatalogsList);
    const {describeTrust} = await import('../../catalog/finding-lines.js');
    const catalogs = await (await this.service('catalogs')).list();
    const width = Math.max(0, ...catalogs.map(({name}) => name.length));
    for (const {name, location, entries, fault, ...source} of catalogs) {
      const isRead = fault === undefined || source.fetched !== undefined;
      const mark = isRead ? this.style('good', '✓') : this.style('bad', '✗');
      const state = isRead ? `${describeTrust(source)}, ${entries} entries, ${location}` : location;
      this.log(`${mark} ${name.padEnd(width)}  ${this.style('dim', state)}`);
      if (fault !== undefined) this.log(`  ${' '.repeat(width)}  ${fault}`);
    }
    if (catalogs.length === 0) this.log('No catalogs are named. The setting catalogs.sources lists them.');
    return {catalogs};
  }
}
