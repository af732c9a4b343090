import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';

interface Disabled {
  readonly enabled: boolean;
  /** The settings file it was written to. */
  readonly path: string;
}

/** Switches the connection with editors off. */
export default class IdeDisable extends KernelCommand {
  static override summary = 'Leave your editor alone, now and in every conversation from now on.';
  static override description = 'Writes ide.enabled to your settings, and disconnects the conversation it is said in.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<Disabled> {
    await this.parse(IdeDisable);
    const settings = await this.service('settings');
    const {path} = await settings.set('ide.enabled', false, {scope: 'user'});
    const enabled = (await settings.getApart('ide.enabled')) === true;
    if (this.host.live) {
      const ide = await this.service('ide');
      await ide.disconnect();
      // It looks at the setting, and stays as it is.
      if (!enabled) await ide.connect();
    }
    if (enabled)
      this.log(
        this.style(
          'warn',
          `ide.enabled is off in ${path}, but something stronger switches it on; gemini settings explain ` +
            'ide.enabled says what.',
        ),
      );
    else this.log('Conversations do not connect with an editor from now on. gemini ide enable switches it on again.');
    return {enabled, path};
  }
}
