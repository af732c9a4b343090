import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';
import type {InstalledSkill} from '../../write/install-skills.js';

export default class SkillsUpdate extends SkillCommand {
  static override summary = 'Install skills again from where they came from, if something changed there.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> notes --consent',
  ];
  static override args = {name: Args.string({description: 'Name of the only skill to update.', ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose skills: yours, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
    consent: Flags.boolean({description: 'Agree to what is shown.'}),
  };

  async run(): Promise<{readonly updated: readonly InstalledSkill[]; readonly unchanged: readonly string[]}> {
    const {args, flags} = await this.parse(SkillsUpdate);
    const {environment} = this.kernel;
    const [{installSkills}, {describeCandidate}, {readSkillsLock}, {storeOf}] = await Promise.all([
      import('../../write/install-skills.js'),
      import('../../write/describe-candidate.js'),
      import('../../write/skills-lock.js'),
      import('../../write/skill-store.js'),
    ]);
    const root = storeOf(flags.scope, environment);
    const entries = Object.entries(await readSkillsLock(root)).filter(([name]) => name === (args.name ?? name));
    if (args.name !== undefined && entries.length === 0)
      throw new KernelError('SKILL_UNKNOWN', `No source is known of a skill "${args.name}" in ${root}.`, {
        hint: 'Only skills that `gemini skills install` copied can be updated.',
      });
    const updated: InstalledSkill[] = [];
    for (const [name, {source, path}] of entries)
      updated.push(
        ...(await installSkills({
          source,
          ...(path === undefined ? {} : {path}),
          only: name,
          scope: flags.scope,
          environment,
          signal: this.host.signal,
          agree: (candidates) =>
            this.agree(candidates.flatMap(describeCandidate), `Update the skill "${name}"?`, flags.consent),
        })),
      );
    const unchanged = entries.map(([name]) => name).filter((name) => !updated.some((one) => one.name === name));
    for (const {name, folder} of updated) this.log(`Updated the skill "${name}" in ${folder}.`);
    for (const name of unchanged) this.log(`The skill "${name}" is up to date.`);
    return {updated, unchanged};
  }
}
