import {KernelCommand} from '@gemini-kernel/command';
import type {Surroundings} from './surroundings.js';

/** A command about what is installed. */
export abstract class InstallCommand extends KernelCommand {
  /** Call it after `parse`, as it starts the kernel. */
  protected async surroundings(): Promise<Surroundings> {
    return {...this.kernel.environment, installs: await (await this.service('installs')).places()};
  }
}
