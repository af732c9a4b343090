import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';

interface Disabled {
  readonly enabled: boolean;
  /** The settings file it was written to. */
  readonly path: string;
}

/** Disables the connection to editors. */
export default class IdeDisable extends KernelCommand {
  static override summary = 'Disconnect from your editor, now and in all later conversations.';
  static override description = 'Writes ide.enabled to your settings, and disconnects the current conversation.';
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
          `ide.enabled is off in ${path}, but a stronger setting enables it. Run gemini settings explain ` +
            'ide.enabled to see which.',
        ),
      );
    else this.log('Conversations no longer connect to an editor. To enable it again, run gemini ide enable.');
    return {enabled, path};
  }
}
