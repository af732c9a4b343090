import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {RemoveResult} from '@gemini-kernel/plugin-workspace/contract';

const SCOPES = ['project', 'user'] as const;

export default class DirectoryRemove extends KernelCommand {
  static override summary = 'Take directories out of the settings.';
  static override description = [
    'Names a directory by its path or as it is written in the settings; it need not exist any more. Sessions that run',
    'keep it, because what a model has seen cannot be unseen. If one of several is not in the settings, none is ' +
      'removed.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> <%= command.id %> ../shared',
    '<%= config.bin %> <%= command.id %> ~/notes --scope user',
  ];
  static override args = {
    path: Args.string({
      description: 'Directory to remove; several are separate words.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    scope: Flags.option({options: SCOPES, default: 'project', description: 'Whose settings name the directories.'})(),
  };
  static override strict = false;

  async run(): Promise<RemoveResult> {
    const {argv, flags} = await this.parse(DirectoryRemove);
    const workspace = await this.service('workspace');
    const result = await workspace.remove(argv.map(String), {scope: flags.scope});
    for (const path of result.removed) this.log(`${this.style('good', 'Removed')} ${path} from ${result.from}.`);
    return result;
  }
}
