import {Args} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';
import {DISABLED} from '../../skill-switch.js';

const SCOPES = {user: 'user', workspace: 'project'} as const;

export default class SkillsEnable extends SkillCommand {
  static override summary = 'Use a disabled skill again.';
  static override description = 'Removes its name from your settings and from those of this project.';
  static override examples = ['<%= config.bin %> <%= command.id %> release-notes'];
  static override args = {name: Args.string({description: 'Name of the skill.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly enabled: boolean; readonly files: readonly string[]}> {
    const {args} = await this.parse(SkillsEnable);
    const {name} = await this.find(args.name);
    const settings = await this.service('settings');
    const isMeant = (value: unknown): value is string =>
      typeof value === 'string' && value.trim().toLowerCase() === name.toLowerCase();
    const files: string[] = [];
    for (const {layer, value, source} of (await settings.explain(DISABLED)).layers) {
      const found = [value].flat().filter(isMeant);
      if (found.length === 0) continue;
      if (layer !== 'user' && layer !== 'workspace')
        throw new KernelError('SKILL_UNKNOWN', `${source ?? layer} disables the skill "${name}".`, {
          hint: 'To enable the skill, change that setting.',
        });
      files.push((await settings.remove(DISABLED, found, {scope: SCOPES[layer]})).path);
    }
    await this.refresh();
    this.log(
      files.length === 0 ? `The skill "${name}" is enabled.` : `The skill "${name}" is enabled in ${files.join(', ')}.`,
    );
    return {name, enabled: true, files};
  }
}
