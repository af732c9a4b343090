import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';
import type {ShownEditor, ShownStatus} from '../../doctor/shown-status.js';

interface Status extends ShownStatus {
  /** Editors that you could connect to, while the connection is off. */
  readonly found?: readonly ShownEditor[];
}

/** How long the command waits for a connection in a conversation. */
const PATIENCE_MS = {live: 3000, alone: 15_000};

/** Shows the state of the connection to the editor. */
export default class IdeStatusCommand extends KernelCommand {
  static override summary = 'Show whether gemini is connected to your editor, to which, and if not, why.';
  static override description =
    'Shows the folders and files that are open there, and what to do next if something is missing. Outside a ' +
    'conversation it connects for the duration of the command, if ide.enabled is on.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override aliases = ['ide'];
  static override slash = true;

  async run(): Promise<Status> {
    await this.parse(IdeStatusCommand);
    const [{describeStatus}, {showEditor, showStatus}, {faultOf}] = await Promise.all([
      import('../../doctor/describe-status.js'),
      import('../../doctor/shown-status.js'),
      import('../../faults.js'),
    ]);
    const ide = await this.service('ide');
    const isEnabled = (await (await this.service('settings')).getApart('ide.enabled')) === true;
    let status = await ide.status();
    if (status.state !== 'connected' && isEnabled) {
      const {signal} = this.host;
      status = await ide.connect({
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.host.live ? PATIENCE_MS.live : PATIENCE_MS.alone)]),
      });
      signal.throwIfAborted();
    }
    const isOff = status.state !== 'connected' && !isEnabled;
    const shown = isOff ? {...status, state: 'disabled' as const, fault: faultOf('disabled')} : status;
    for (const line of describeStatus(shown, (style, text) => this.style(style, text), this.host.live !== undefined))
      this.log(line);
    if (!isOff) return showStatus(shown);
    const {candidates, fault} = await ide.discover();
    const names = [...new Set(candidates.map(({info}) => info.displayName))];
    this.log(names.length > 0 ? `${names.join(', ')} can be connected.` : (fault?.message ?? ''));
    return {...showStatus(shown), found: candidates.map(showEditor)};
  }
}
