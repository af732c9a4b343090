import type {Command} from './read-command.js';

const OPPOSITE: Readonly<Record<string, string>> = {f: 'F', F: 'f', t: 'T', T: 't'};

/** The last `f`, `F`, `t` or `T`, which `;` and `,` repeat. */
export class LastFind {
  #found: {readonly motion: string; readonly argument: string} | undefined;

  /** The command with the motion that is meant; without an earlier one, `none`, which leads nowhere. */
  resolve(command: Command): Command {
    const repeated = [command.motion, command.action].find((one) => one === ';' || one === ',');
    const {motion, argument} = command;
    if (repeated === undefined) {
      if (motion !== undefined && argument !== undefined) this.#found = {motion, argument};
      return command;
    }
    const {action: _, ...rest} = command;
    const found = this.#found;
    if (!found) return {...rest, motion: 'none'};
    const again = repeated === ';' ? found.motion : OPPOSITE[found.motion];
    return {...rest, motion: again ?? 'none', argument: found.argument, isRepeated: true};
  }
}
