import {KernelCommand} from '@gemini-kernel/command';
import type {SettingFault} from '../../contract.js';

/** Says which settings do not fit, and which keys nothing here has. */
export default class SettingsCheck extends KernelCommand {
  static override summary = 'Check the settings for invalid values and unknown keys.';
  static override description =
    "Checks your settings file, the project's, the system's, and the bundles in force. Settings of a " +
    'plugin are known only while it is installed. Exits with 1 when there is a problem.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly faults: readonly SettingFault[]}> {
    await this.parse(SettingsCheck);
    const faults = await (await this.service('settings')).check();
    for (const {problem, sentence} of faults)
      this.log(`${problem === 'misfit' ? this.style('bad', '✗') : this.style('warn', '!')} ${sentence}`);
    if (faults.length > 0) this.host.end(1);
    else this.log(`${this.style('good', '✓')} All settings are known and valid.`);
    return {faults};
  }
}
