import {InstallCommand} from '../../install-command.js';
import type {BundleStatus} from '../../bundle/bundle-status.js';

export default class BundleShow extends InstallCommand {
  static override summary = 'Say which bundles are in force, and whether they are what was signed.';
  static override description =
    'Shows the rules of the administrator, each applied bundle with its signers, serial and expiry, what it ' +
    'brings and enforces, and everything that is not as its lock says. The exit code is 1 when something is not ' +
    'in order. It works when everything else is refused.';
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
