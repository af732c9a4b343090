import {KernelCommand} from '@gemini-kernel/command';
import type {WorktreeState} from '../../contract.js';

export default class WorktreesList extends KernelCommand {
  static override summary = 'List the git worktrees that agents and runs with --worktree worked in.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override enableJsonFlag = true;
  static override slash = true;

  async run(): Promise<{worktrees: readonly WorktreeState[]}> {
    await this.parse(WorktreesList);
    const worktrees = await (await this.service('worktrees')).list();
    if (worktrees.length === 0) this.log('There are no worktrees.');
    for (const {name, branch, path, commits, isMerged, uncommitted, others} of worktrees) {
      const state = [
        commits === 0 ? 'no commits' : `${commits} commit${commits === 1 ? '' : 's'}${isMerged ? ', merged' : ''}`,
        ...(uncommitted ? ['changes that are not committed'] : []),
        ...(others ? ['files that git ignores'] : []),
      ];
      this.log(`${this.style('strong', name)} (${state.join('; ')})`);
      this.log(`  ${path}, branch ${branch}`);
    }
    return {worktrees};
  }
}
