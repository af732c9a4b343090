import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {HookInfo} from '../../contract.js';
import {describeHook} from '../../describe-hook.js';
import {findHooks} from '../../find-hook.js';

export default class HooksTrust extends KernelCommand {
  static override summary = 'Agree to the hooks of this project, as they are now.';
  static override description =
    'Without a name, to all that wait for it. A hook that changes later waits again. What a command runs, such as a ' +
    'script of the project, is not compared.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> format'];
  static override args = {hook: Args.string({description: 'Name, command or id of a hook.', ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly file?: string; readonly trusted: readonly HookInfo[]}> {
    const {args} = await this.parse(HooksTrust);
    const service = await this.service('hooks');
    const all = (await service.list()).filter(({layer}) => layer === 'workspace');
    const untrusted = all.find(({leftOut}) => leftOut?.reason === 'untrusted');
    if (untrusted?.leftOut) throw new KernelError('HOOK_UNTRUSTED', untrusted.leftOut.sentence);
    const chosen = (args.hook === undefined ? all : findHooks(all, args.hook)).filter(
      ({leftOut}) => leftOut?.reason === 'unacknowledged',
    );
    if (chosen.length === 0) {
      this.log('No hook of this project waits for your agreement.');
      return {trusted: []};
    }
    const {file, trusted} = await service.trust(chosen.map(({id}) => id));
    for (const hook of trusted) {
      this.log(`${this.style('good', '✓')} ${hook.name}${this.style('dim', `  ${describeHook(hook)}`)}`);
      if (hook.name !== hook.command) this.log(`    ${hook.command}`);
    }
    this.logToStderr(`Written to ${file}.`);
    return {file, trusted};
  }
}
