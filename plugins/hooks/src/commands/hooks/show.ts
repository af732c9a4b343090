import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {HookInfo} from '../../contract.js';
import {findHooks} from '../../find-hook.js';

export default class HooksShow extends KernelCommand {
  static override summary = 'Show everything about a hook.';
  static override examples = ['<%= config.bin %> <%= command.id %> guard'];
  static override args = {
    hook: Args.string({description: 'Name, command or id of the hook.', required: true, ignoreStdin: true}),
  };
  static override slash = true;

  async run(): Promise<{readonly hooks: readonly HookInfo[]}> {
    const {args} = await this.parse(HooksShow);
    const hooks = findHooks(await (await this.service('hooks')).list(), args.hook);
    for (const {id, leftOut, ...hook} of hooks) {
      for (const [key, value] of Object.entries(hook))
        this.log(`${key.padEnd(12)} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
      this.log(`${'id'.padEnd(12)} ${id.slice(0, 12)}`);
      this.log(`${'runs'.padEnd(12)} ${leftOut ? `no. ${leftOut.sentence}` : 'yes'}`);
    }
    return {hooks};
  }
}
