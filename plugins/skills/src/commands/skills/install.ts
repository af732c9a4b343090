import {Args, Flags} from '@oclif/core';
import {SkillCommand} from '../../skill-command.js';
import type {InstalledSkill} from '../../write/install-skills.js';

export default class SkillsInstall extends SkillCommand {
  static override summary = 'Install skills from a folder, an archive, a repository or npm.';
  static override description =
    'Every skill of the source is copied under the name in its head. You see the files, the scripts and the size ' +
    'before anything is written. skills.lock.json keeps the source, the commit and a hash of each skill. Nothing of ' +
    'a skill runs at installation.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-skill',
    '<%= config.bin %> <%= command.id %> release-notes.skill --scope workspace --consent',
    '<%= config.bin %> <%= command.id %> https://git.example.com/team/skills.git#v2 --path skills/review',
    '<%= config.bin %> <%= command.id %> npm:@acme/skills',
  ];
  static override args = {
    source: Args.string({
      description: 'A folder, an archive (.skill, .zip, .tar, .tgz), the address of a repository, or npm:<package>.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose skills: yours, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
    path: Flags.string({description: 'Folder within the source to look in.'}),
    ref: Flags.string({description: 'Branch, tag or commit of a repository.'}),
    consent: Flags.boolean({description: 'Agree to what is shown.'}),
  };
  static override slash = true;

  async run(): Promise<{readonly skills: readonly InstalledSkill[]}> {
    const {args, flags} = await this.parse(SkillsInstall);
    const [{installSkills}, {describeCandidate}] = await Promise.all([
      import('../../write/install-skills.js'),
      import('../../write/describe-candidate.js'),
    ]);
    const skills = await installSkills({
      source: flags.ref === undefined ? args.source : `${args.source}#${flags.ref}`,
      ...(flags.path === undefined ? {} : {path: flags.path}),
      scope: flags.scope,
      environment: this.kernel.environment,
      signal: this.host.signal,
      agree: (candidates) =>
        this.agree(
          candidates.flatMap(describeCandidate),
          candidates.length === 1 ? 'Install this skill?' : `Install these ${candidates.length} skills?`,
          flags.consent,
        ),
    });
    await this.refresh();
    for (const {name, folder, replaced} of skills)
      this.log(`${replaced ? 'Replaced' : 'Installed'} the skill "${name}" in ${folder}.`);
    return {skills};
  }
}
