import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';
import type {ShownStatus} from '../../doctor/shown-status.js';

interface Enabled extends ShownStatus {
  readonly enabled: boolean;
  /** The settings file it was written to. */
  readonly path: string;
}

const PATIENCE_MS = 15_000;

/** Enables the connection to editors. */
export default class IdeEnable extends KernelCommand {
  static override summary = 'Connect to your editor, now and in all later conversations.';
  static override description =
    'Writes ide.enabled to your settings, connects, and shows the result. The model then knows what you look ' +
    'at, and changes appear in the editor.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Enabled> {
    await this.parse(IdeEnable);
    const [{describeStatus}, {showStatus}] = await Promise.all([
      import('../../doctor/describe-status.js'),
      import('../../doctor/shown-status.js'),
    ]);
    const settings = await this.service('settings');
    const {path} = await settings.set('ide.enabled', true, {scope: 'user'});
    const enabled = (await settings.getApart('ide.enabled')) === true;
    const {signal} = this.host;
    const status = await (
      await this.service('ide')
    ).connect({anyway: true, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])});
    signal.throwIfAborted();
    if (enabled) this.log('Conversations connect to your editor from now on.');
    else
      this.log(
        this.style(
          'warn',
          `ide.enabled is on in ${path}, but a stronger setting disables it. Run gemini settings explain ` +
            'ide.enabled to see which.',
        ),
      );
    for (const line of describeStatus(status, (style, text) => this.style(style, text), this.host.live !== undefined))
      this.log(line);
    return {...showStatus(status), enabled, path};
  }
}
