import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';
import type {ShownEditor, ShownStatus} from '../../doctor/shown-status.js';

interface Status extends ShownStatus {
  /** Editors that could be connected with, where the connection is off. */
  readonly found?: readonly ShownEditor[];
}

/** In a conversation nobody waits longer to be told how it stands. */
const PATIENCE_MS = {live: 3000, alone: 15_000};

/** Says how the connection with the editor stands. */
export default class IdeStatusCommand extends KernelCommand {
  static override summary = 'Say whether gemini is connected with your editor, with which, and why not.';
  static override description =
    'Shows the folders and files that are open there, and what to do next where something is missing. Outside of ' +
    'a conversation it connects for the moment, if ide.enabled is on.';
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
    this.log(names.length > 0 ? `${names.join(', ')} could be connected with.` : (fault?.message ?? ''));
    return {...showStatus(shown), found: candidates.map(showEditor)};
  }
}
