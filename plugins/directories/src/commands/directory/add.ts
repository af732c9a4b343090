import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import type {AddResult} from '@gemini-kernel/plugin-workspace/contract';

const SCOPES = ['project', 'user'] as const;

export default class DirectoryAdd extends KernelCommand {
  static override summary = 'Let tools work in more directories.';
  static override description =
    'Keeps the directories in the settings of the project, or of the user with --scope user. Inside a conversation, without --scope, they count for that conversation only. If one of them cannot be added, none is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ../shared',
    '<%= config.bin %> <%= command.id %> ../shared,~/notes --scope user',
  ];
  static override args = {path: Args.string({description: 'Directory to add; commas separate several.', required: true, ignoreStdin: true})};
  static override flags = {scope: Flags.option({options: SCOPES, description: 'Whose settings keep the directories.'})()};
  static override strict = false;
  static override slash = true;

  async run(): Promise<AddResult> {
    const {argv, flags} = await this.parse(DirectoryAdd);
    const paths = argv.flatMap((words) => String(words).split(',')).map((path) => path.trim()).filter((path) => path !== '');
    if (paths.length === 0) {
      throw new KernelError('DIRECTORY_UNNAMED', 'No directory is named.', {hint: `Name one: gemini directory add ../shared`});
    }
    const scope = flags.scope ?? (this.session.live ? 'session' : 'project');
    const workspace = await this.service('workspace');
    const result = await workspace.add(paths, {scope});
    this.#tell(result, scope);
    return result;
  }

  #tell({added, present, directories}: AddResult, scope: 'session' | 'project' | 'user'): void {
    const place = scope === 'session' ? 'for this session' : `to the ${scope} settings`;
    for (const path of added) this.log(`${this.style('good', 'Added')} ${path} ${place}.`);
    for (const path of present) this.log(`${path} is there already.`);
    this.log(this.style('dim', directories.length === 1 ? 'Tools reach 1 directory.' : `Tools reach ${directories.length} directories.`));
  }
}
