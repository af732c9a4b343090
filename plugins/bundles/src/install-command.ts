import {KernelCommand} from '@gemini-kernel/command';
import type {Isolation, IsolationMode} from '@gemini-kernel/plugin-isolation/contract';
import type {Surroundings} from './surroundings.js';

/** A command about installed plugins. */
export abstract class InstallCommand extends KernelCommand {
  /** Call it after `parse`, because it starts the kernel. */
  protected async surroundings(): Promise<Surroundings> {
    return {...this.kernel.environment, installs: await (await this.service('installs')).places()};
  }

  /** What runs plugins in processes of their own, where there is such a thing. */
  protected async isolation(): Promise<Isolation | undefined> {
    return this.host.catalog.services.has('isolation') ? this.service('isolation') : undefined;
  }

  /** Whether a plugin that is installed runs in a process of its own. */
  protected async tierOf(plugin: string): Promise<IsolationMode> {
    return (await (await this.isolation())?.mode(plugin))?.mode ?? 'off';
  }
}
