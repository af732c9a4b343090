import {KernelCommand} from '@gemini-kernel/command';
import type {SandboxState} from '../../contract.js';

export default class SandboxStatus extends KernelCommand {
  static override summary = 'Show whether the commands that gemini runs are confined, and what is missing.';
  static override description = 'The exit code is 44 when a sandbox is asked for and cannot be used.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> --sandbox <%= command.id %>'];
  static override slash = true;

  async run(): Promise<SandboxState> {
    await this.parse(SandboxStatus);
    const state = await (await this.service('sandbox')).state();
    const {fault} = state;
    for (const line of this.describe(state)) this.log(line);
    if (fault) this.host.end(44);
    return state;
  }

  private describe({isOn, why, fault, missing, isPossible, program}: SandboxState): readonly string[] {
    const lack = fault ?? missing;
    const word = isOn ? this.style('good', 'on') : this.style('dim', 'off');
    return [
      `Sandbox: ${fault ? this.style('bad', 'cannot be used') : word}. ${why}`,
      ...(program === undefined ? [] : [`Program: ${program}`]),
      ...(lack ? [lack.sentence, lack.hint] : []),
      ...(!isOn && isPossible ? ['It can be used here: --sandbox, GEMINI_SANDBOX=true, or tools.sandbox.'] : []),
    ];
  }
}
