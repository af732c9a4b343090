import {realpath} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';

interface Linked {
  readonly name: string;
  readonly folder: string;
  readonly link: string;
}

export default class SkillsLink extends SkillCommand {
  static override summary = 'Use a skill where it is, while you work on it.';
  static override description = 'Makes a link to the folder. A change to the skill counts with the next prompt.';
  static override examples = ['<%= config.bin %> <%= command.id %> ./my-skill --consent'];
  static override args = {
    folder: Args.string({description: 'Folder of the skill.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'Whose skills: yours, or those of this project.',
      options: ['user', 'workspace'] as const,
      default: 'user' as const,
    })(),
    consent: Flags.boolean({description: 'Agree to what is shown.'}),
  };
  static override slash = true;

  async run(): Promise<Linked> {
    const {args, flags} = await this.parse(SkillsLink);
    const {environment} = this.kernel;
    const [{checkSkill}, {exists, linkSkill, storeOf, withStore}] = await Promise.all([
      import('../../write/check-skill.js'),
      import('../../write/skill-store.js'),
    ]);
    const folder = resolve(environment.cwd, args.folder);
    const {name, problems} = await checkSkill(folder);
    const [broken] = problems.filter(({kind}) => kind === 'broken');
    if (name === undefined || broken)
      throw new KernelError('SKILL_INVALID', broken?.sentence ?? `${folder} is not a skill.`);
    const root = storeOf(flags.scope, environment);
    const link = join(root, name);
    if (await exists(link))
      throw new KernelError('SKILL_INVALID', `There is a skill "${name}" in ${root} already.`, {
        hint: `Run \`gemini skills uninstall ${name}\` first.`,
      });
    const real = await realpath(folder);
    await this.agree([`${name}: ${real}`, `  to       ${link} (a link)`], 'Link this skill?', flags.consent);
    await withStore(root, () => linkSkill(root, name, real));
    await this.refresh();
    this.log(`Linked the skill "${name}" to ${real}.`);
    return {name, folder: real, link};
  }
}
