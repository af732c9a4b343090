import {resolve} from 'node:path';
import {Args} from '@oclif/core';
import {SkillCommand} from '../../skill-command.js';
import type {CheckedSkill} from '../../write/check-skill.js';

export default class SkillsCheck extends SkillCommand {
  static override summary = 'Check a skill: what prevents it from being used, and what could be better.';
  static override description = 'The exit code is 1 if the skill cannot be used or packed. Advice does not change it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-skill',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override args = {folder: Args.string({description: 'Folder of the skill.', default: '.', ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<CheckedSkill> {
    const {args} = await this.parse(SkillsCheck);
    const {checkSkill} = await import('../../write/check-skill.js');
    const checked = await checkSkill(resolve(this.kernel.environment.cwd, args.folder));
    for (const {kind, sentence} of checked.problems)
      this.log(`${kind === 'advice' ? this.style('warn', '!') : this.style('bad', '✗')} ${sentence}`);
    if (checked.problems.length === 0) this.log(`The skill "${checked.name ?? ''}" is fine.`);
    if (checked.problems.some(({kind}) => kind !== 'advice')) this.host.end(1);
    return checked;
  }
}
