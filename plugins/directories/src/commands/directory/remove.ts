import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {RemoveResult} from '@gemini-kernel/plugin-workspace/contract';

const SCOPES = ['project', 'user'] as const;

export default class DirectoryRemove extends KernelCommand {
  static override summary = 'Remove directories from the settings.';
  static override description = [
    'Name a directory by its path or as written in the settings; it need not exist any more. Running sessions',
    'keep it, because the model has already seen it. If one of several is not in the settings, none is ' + 'removed.',
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
    scope: Flags.option({
      options: SCOPES,
      default: 'project',
      description: 'Settings to remove the directories from.',
    })(),
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
