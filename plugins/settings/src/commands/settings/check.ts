import {KernelCommand} from '@gemini-kernel/command';
import type {SettingFault} from '../../contract.js';

/** Says which settings do not fit, and which keys nothing here has. */
export default class SettingsCheck extends KernelCommand {
  static override summary = 'Check the settings: values that do not fit, and keys that are not known here.';
  static override description =
    'Looks at your file, that of the project, those of the system, and the bundles in force. The settings of plugins ' +
    'count as known while the plugin is there. The exit code is 1 when something is found.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly faults: readonly SettingFault[]}> {
    await this.parse(SettingsCheck);
    const faults = await (await this.service('settings')).check();
    for (const {problem, sentence} of faults)
      this.log(`${problem === 'misfit' ? this.style('bad', '✗') : this.style('warn', '!')} ${sentence}`);
    if (faults.length > 0) this.host.end(1);
    else this.log(`${this.style('good', '✓')} Every setting is known and fits.`);
    return {faults};
  }
}
