import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';

export default class SkillsUninstall extends SkillCommand {
  static override summary = 'Remove a skill, or the link to one.';
  static override description = 'Finds it by its name, else by the name of its folder. A linked folder itself stays.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> release-notes',
    '<%= config.bin %> <%= command.id %> release-notes --scope workspace',
  ];
  static override args = {name: Args.string({description: 'Name of the skill.', required: true, ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose skills: yours, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly folder: string}> {
    const {args, flags} = await this.parse(SkillsUninstall);
    const [{findInstalled}, {removeSkill, storeOf, withStore}] = await Promise.all([
      import('../../write/find-installed.js'),
      import('../../write/skill-store.js'),
    ]);
    const root = storeOf(flags.scope, this.kernel.environment);
    const found = await findInstalled(root, args.name);
    if (found === undefined)
      throw new KernelError('SKILL_UNKNOWN', `There is no skill "${args.name}" in ${root}.`, {
        hint: `\`gemini skills list\` shows where each skill is. --scope ${
          flags.scope === 'user' ? 'workspace removes one of this project' : 'user removes one of yours'
        }.`,
      });
    await withStore(root, () => removeSkill(root, found));
    await this.refresh();
    this.log(`Removed the skill "${args.name}" from ${root}.`);
    return {name: args.name, folder: `${root}/${found}`};
  }
}
