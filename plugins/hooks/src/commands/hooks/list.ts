import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {HookInfo} from '../../contract.js';
import {describeHook} from '../../describe-hook.js';

export default class HooksList extends KernelCommand {
  static override summary = 'List the configured hooks, and why some do not run.';
  static override description = 'In the order in which they run: those of the project, yours, the system, extensions.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --event BeforeTool --json',
  ];
  static override args = {
    filter: Args.string({description: 'Only hooks whose name or command contains this.', ignoreStdin: true}),
  };
  static override flags = {event: Flags.string({description: 'Only hooks of this event.'})};
  static override slash = true;

  async run(): Promise<{readonly hooks: readonly HookInfo[]}> {
    const {args, flags} = await this.parse(HooksList);
    const wanted = (args.filter ?? '').toLowerCase();
    const all = await (await this.service('hooks')).list();
    const hooks = all.filter(
      ({name, command, event}) =>
        `${name}\n${command}`.toLowerCase().includes(wanted) && (flags.event ?? event) === event,
    );
    for (const hook of hooks) {
      const [style, mark] = hook.leftOut ? (['dim', '○'] as const) : (['good', '●'] as const);
      this.log(`${this.style(style, mark)} ${hook.name}${this.style('dim', `  ${describeHook(hook)}`)}`);
      if (hook.leftOut) this.log(`    ${hook.leftOut.sentence}`);
    }
    if (hooks.length === 0)
      this.log(all.length === 0 ? 'No hooks are configured. See docs/hooks.md.' : 'No configured hook matches.');
    return {hooks};
  }
}
