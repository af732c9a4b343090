import {KernelCommand} from '@gemini-kernel/command';
import type {Surroundings} from './surroundings.js';

/** A command about installed plugins. */
export abstract class InstallCommand extends KernelCommand {
  /** Call it after `parse`, because it starts the kernel. */
  protected async surroundings(): Promise<Surroundings> {
    return {...this.kernel.environment, installs: await (await this.service('installs')).places()};
  }
}
