import {Flags} from '@oclif/core';
import type {FoundSkills, Skill} from '../../contract.js';
import {describeOrigin} from '../../describe-origin.js';
import {SkillCommand} from '../../skill-command.js';

export default class SkillsList extends SkillCommand {
  static override summary = 'List skills, and what prevents others from being used.';
  static override description =
    'Shows the skills of this project, of yours and of extensions, and each file that does not count with the reason.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --all --json',
  ];
  static override flags = {all: Flags.boolean({description: 'Show built-in skills too.'})};
  static override slash = true;

  async run(): Promise<FoundSkills> {
    const {flags} = await this.parse(SkillsList);
    const service = await this.service('skills');
    if (this.session.live) await service.refresh();
    const found = await service.list();
    const skills = found.skills.filter(({origin}) => flags.all || origin !== 'built-in');
    if (found.off !== undefined) this.log(found.off);
    for (const skill of skills) this.show(skill);
    if (skills.length === 0 && found.off === undefined)
      this.log('There are no skills. Write one with `gemini skills new <name>`, or run `gemini skills install`.');
    if (found.faults.length > 0) this.log(`\n${this.style('warn', 'Not used:')}`);
    for (const {file, reason} of found.faults) this.log(`  ${file} ${reason}.`);
    return {...found, skills};
  }

  private show(skill: Skill): void {
    const {name, description, file, enabled, replaces = []} = skill;
    const state = enabled ? this.style('good', '[Enabled]') : this.style('dim', '[Disabled]');
    this.log(`${this.style('strong', name)} ${state} ${this.style('dim', `(${describeOrigin(skill)})`)}`);
    this.log(`  ${description.replaceAll(/\s+/g, ' ')}`);
    this.log(`  ${file}`);
    for (const other of replaces) this.log(`  instead of ${other}`);
  }
}
