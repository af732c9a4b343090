import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {IdeCheck, IdeStatus} from '../../contract.js';
import type {ShownStatus} from '../../doctor/shown-status.js';

interface Diagnosis {
  readonly checks: readonly IdeCheck[];
  readonly status: ShownStatus;
}

/** Checks the connection to the editor step by step. */
export default class IdeDoctor extends KernelCommand {
  static override summary = 'Check the connection to your editor step by step, and show what to do next.';
  static override description =
    'Checks the setting, the terminal, the processes above it and the discovery files of companions, and ' +
    'connects to the best editor whatever the setting is. Each step that fails has a reason code; ' +
    'docs/connect-your-editor.md explains each. The exit code is 1 when a step fails.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Diagnosis> {
    await this.parse(IdeDoctor);
    const [{examineIde}, {NOT_REACHED}, {showStatus}] = await Promise.all([
      import('../../doctor/examine.js'),
      import('../../doctor/examine-connection.js'),
      import('../../doctor/shown-status.js'),
    ]);
    const {environment} = this.kernel;
    const {signal} = this.host;
    const ide = await this.service('ide');
    const isEnabled = (await (await this.service('settings')).getApart('ide.enabled')) === true;
    const before = await ide.status();
    if (environment.interactive && !this.host.live) this.logToStderr('Looking for editors and connecting …');
    const checks = await examineIde({ide, environment, isEnabled, signal});
    const status = await ide.status();
    this.#showAll(checks, NOT_REACHED);
    const failed = checks.find((check) => check.status === 'failed');
    this.log('');
    this.log(failed ? `Not connected: ${failed.reason ?? failed.name}.` : describeReady(status, isEnabled));
    // A conversation stays as it was.
    if (this.host.live && !isEnabled && before.state !== 'connected') await ide.disconnect().then(() => ide.connect());
    if (failed && !this.host.live) this.host.end(1);
    return {checks, status: showStatus(status)};
  }

  #showAll(checks: readonly IdeCheck[], notReached: string): void {
    const missed = checks.filter(({detail}) => detail === notReached);
    for (const check of checks) if (!missed.includes(check)) this.#show(check);
    if (missed.length > 0) this.log(this.style('dim', `- not checked: ${missed.map(({name}) => name).join(', ')}`));
  }

  #show({name, status, detail, reason, hint}: IdeCheck): void {
    const marks = {
      passed: this.style('good', '✓'),
      failed: this.style('bad', '✗'),
      warning: this.style('warn', '!'),
      skipped: this.style('dim', '-'),
    };
    const isBad = status === 'failed' || status === 'warning';
    const code = isBad && reason ? ` ${this.style('dim', `[${reason}]`)}` : '';
    this.log(`${marks[status]} ${name}: ${status === 'skipped' ? this.style('dim', detail) : detail}${code}`);
    if (isBad && hint) this.log(`  ${this.style('strong', 'Next:')} ${hint}`);
  }
}

function describeReady({editor}: IdeStatus, isEnabled: boolean): string {
  const advice = isEnabled ? '' : ' To connect in conversations, run gemini ide enable.';
  return `${editor?.info.displayName ?? 'The editor'} is ready.${advice}`;
}
