import {Args, Flags} from '@oclif/core';
import {SkillCommand} from '../../skill-command.js';
import {DISABLED} from '../../skill-switch.js';

export default class SkillsDisable extends SkillCommand {
  static override summary = 'Do not use a skill.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> release-notes',
    '<%= config.bin %> <%= command.id %> release-notes --scope workspace',
  ];
  static override args = {name: Args.string({description: 'Name of the skill.', required: true, ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'The settings that keep it: yours, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
  };
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly enabled: boolean; readonly file?: string}> {
    const {args, flags} = await this.parse(SkillsDisable);
    const {name, enabled} = await this.find(args.name);
    if (!enabled) {
      this.log(`The skill "${name}" is already disabled.`);
      return {name, enabled: false};
    }
    const settings = await this.service('settings');
    const scope = flags.scope === 'workspace' ? 'project' : 'user';
    const {path: file} = await settings.append(DISABLED, [name], {scope});
    await this.refresh();
    this.log(`The skill "${name}" is disabled in ${file}.`);
    return {name, enabled: false, file};
  }
}
