import {Args, Flags} from '@oclif/core';
import {isToolError, KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {AddResult} from '@gemini-kernel/plugin-workspace/contract';
import {readNames} from '../../read-names.js';

const SCOPES = ['project', 'user'] as const;

export default class DirectoryAdd extends KernelCommand {
  static override summary = 'Let tools reach more directories.';
  static override description = [
    'Saves the directories in the settings of the project, or in your user settings with --scope user. In a ' +
      'conversation, without --scope, they apply to that conversation only. If one of them cannot be added, none is. ' +
      'The settings of a ' +
      'project keep ../lib, ~/notes or $LIBS/a as typed, so that they mean the same for everyone with the project.',
  ].join(' ');
  static override examples = [
    '<%= config.bin %> <%= command.id %> ../shared',
    '<%= config.bin %> <%= command.id %> ../shared,~/notes --scope user',
    '<%= config.bin %> <%= command.id %> \'"../one, two",../three\'',
  ];
  static override args = {
    path: Args.string({description: 'Directory to add; commas separate several.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({options: SCOPES, description: 'Settings to save the directories in.'})(),
  };
  static override strict = false;
  static override aliases = ['/dir:add'];
  static override slash = true;

  async run(): Promise<AddResult> {
    const {argv, flags} = await this.parse(DirectoryAdd);
    const workspace = await this.service('workspace');
    const isThere = (name: string): Promise<boolean> =>
      workspace.explain(name).then(
        ({exists}) => exists,
        (error: unknown) => {
          if (isToolError(error)) return false;
          throw error;
        },
      );
    const paths: string[] = [];
    for (const word of argv) paths.push(...(await readNames(String(word), isThere)));
    if (paths.length === 0) {
      throw new KernelError('DIRECTORY_UNNAMED', 'No directory is given.', {
        hint: `Pass one, for example gemini directory add ../shared`,
      });
    }
    const scope = flags.scope ?? (this.session.live ? 'session' : 'project');
    const result = await workspace.add(paths, {scope});
    this.#tell(result, scope);
    return result;
  }

  #tell({added, present, directories, untrusted}: AddResult, scope: 'session' | 'project' | 'user'): void {
    const place = scope === 'session' ? 'for this session' : `to the ${scope} settings`;
    const isInForce = untrusted === undefined;
    const act = isInForce ? this.style('good', 'Added') : this.style('warn', 'Added');
    for (const path of added) this.log(`${act} ${path} ${place}${isInForce ? '' : ', but it is not in force'}.`);
    for (const path of present) this.log(`${path} is already present.`);
    const reach =
      directories.length === 1 ? 'Tools reach 1 directory.' : `Tools reach ${directories.length} directories.`;
    this.log(this.style('dim', reach));
    if (isInForce) return;
    this.log(`${untrusted} is not trusted, so its settings do not count. Run gemini trust add, or pass --scope user.`);
  }
}
