import {KernelCommand} from '@gemini-kernel/command';
import {Args, Flags} from '@oclif/core';

export default class WorktreesRemove extends KernelCommand {
  static override summary = 'Remove a git worktree and its branch.';
  static override description =
    'Refuses while it has work that is not merged. With --discard, what is there is committed first, and the commit ' +
    'is printed: `git branch <name> <commit>` brings it back until git tidies up.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> translator-1f2e3d4c',
    '<%= config.bin %> <%= command.id %> translator-1f2e3d4c --discard',
  ];
  static override args = {name: Args.string({description: 'Name of the worktree.', required: true, ignoreStdin: true})};
  static override flags = {discard: Flags.boolean({description: 'Also remove work that is not merged.'})};
  static override enableJsonFlag = true;

  async run(): Promise<{name: string; commit: string}> {
    const {args, flags} = await this.parse(WorktreesRemove);
    const {commit} = await (await this.service('worktrees')).remove(args.name, flags.discard);
    this.log(`Removed the worktree ${args.name} and its branch, which was at ${commit}.`);
    return {name: args.name, commit};
  }
}
