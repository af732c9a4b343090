import {Args, Flags} from '@oclif/core';
import {SkillCommand} from '../../skill-command.js';

export default class SkillsNew extends SkillCommand {
  static override summary = 'Write a new skill with a test case.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> release-notes',
    '<%= config.bin %> <%= command.id %> release-notes --description "Writes release notes. Use it when …"',
    '<%= config.bin %> <%= command.id %> release-notes --directory .',
  ];
  static override args = {
    name: Args.string({description: 'Lower-case letters, digits and hyphens.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose skill: yours, or of this project.',
      options: ['user', 'workspace'] as const,
      default: 'workspace' as const,
    })(),
    directory: Flags.string({char: 'd', description: 'Directory to write it in, instead of a folder of skills.'}),
    description: Flags.string({description: 'What it does, and when to use it.'}),
  };
  static override slash = true;

  async run(): Promise<{readonly name: string; readonly folder: string; readonly files: readonly string[]}> {
    const {args, flags} = await this.parse(SkillsNew);
    const {createSkill} = await import('../../write/create-skill.js');
    const {folder, files} = await createSkill({...flags, name: args.name, environment: this.kernel.environment});
    await this.refresh();
    this.log(`Wrote ${files.join(', ')} in ${folder}.`);
    this.log('Write the instructions, then run `gemini skills check` with this folder.');
    return {name: args.name, folder, files};
  }
}
