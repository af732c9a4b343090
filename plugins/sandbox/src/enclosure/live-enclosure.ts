import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {chooseSandbox} from '../choose-sandbox.js';
import type {Enclosure} from '../contract.js';
import {findEnclosing, isInside, isWhole} from './enclosing.js';

/** What enters a sandbox. */
export interface Entering extends Pick<ServiceContext, 'environment' | 'service' | 'names'> {
  readonly program: OwnProgram;
  /** The directories of the workspace, absolute and real. */
  readonly roots: readonly string[];
  readonly words: readonly string[];
  readonly signal: AbortSignal;
}

/** This program, as it runs. */
export interface OwnProgram {
  /** The file that starts it, absolute and real. */
  readonly file: string;
  readonly node: string;
  readonly hasTerminal: boolean;
  readonly user: number | undefined;
  readonly group: number | undefined;
}

/** Runs the whole program in docker, podman, gVisor, lxc or sandbox-exec. */
export class LiveEnclosure implements Enclosure {
  constructor(
    private readonly context: Pick<ServiceContext, 'environment' | 'service' | 'names'>,
    private readonly program: OwnProgram,
  ) {}

  async enter(words: readonly string[], signal: AbortSignal): Promise<number | undefined> {
    const {environment, service} = this.context;
    const {platform, variables} = environment;
    const choice = await chooseSandbox(environment, await service('settings'));
    if (!isWhole(choice.name, platform) || isInside(choice, environment)) return undefined;
    const found = findEnclosing(choice.name, {platform, variables, cwd: environment.cwd});
    if ('sentence' in found)
      throw new KernelError('SANDBOX_UNAVAILABLE', `${choice.by} asks for a sandbox: ${found.sentence}`, {
        hint: found.hint,
      });
    const roots = (await (await service('workspace')).roots()).map(({path}) => path);
    const asked = {...this.context, program: this.program, roots, words, signal};
    if (found.name === 'sandbox-exec') return (await import('./enter-seatbelt.js')).enterSeatbelt(found, asked);
    if (found.name === 'lxc') return (await import('./enter-lxc.js')).enterLxc(found.file, asked);
    return (await import('./enter-container.js')).enterContainer({...found, name: found.name}, asked);
  }
}
