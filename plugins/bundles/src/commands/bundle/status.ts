import {InstallCommand} from '../../install-command.js';
import type {BundleStatus} from '../../bundle/bundle-status.js';

export default class BundleShow extends InstallCommand {
  static override summary = 'Show which bundles are in force, and whether they match what was signed.';
  static override description =
    "Shows the administrator's rules, and each applied bundle with its signers, serial and expiry, what " +
    'it brings and enforces, and every difference from its lock. Exits with 1 when there is a problem. ' +
    'Works even when everything else is refused.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<BundleStatus> {
    await this.parse(BundleShow);
    const [{readStatus}, {statusReport}] = await Promise.all([
      import('../../bundle/bundle-status.js'),
      import('../../bundle/status-report.js'),
    ]);
    const now = new Date();
    const status = await readStatus(await this.surroundings(), now);
    for (const line of statusReport(status, now, (style, text) => this.style(style, text))) this.log(line);
    const isSound =
      status.administrator.kind !== 'unreadable' &&
      status.faults.length === 0 &&
      status.bundles.every(({differences, expiry}) => differences.length === 0 && expiry !== 'expired');
    if (!isSound) this.host.end(1);
    return status;
  }
}
