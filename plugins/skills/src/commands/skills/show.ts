import {dirname} from 'node:path';
import {Args} from '@oclif/core';
import type {SkillContent} from '../../contract.js';
import {describeOrigin} from '../../describe-origin.js';
import {SkillCommand} from '../../skill-command.js';
import type {LockedSkill} from '../../write/skills-lock.js';

type Shown = SkillContent & {readonly installed?: LockedSkill; readonly isChanged?: boolean};

export default class SkillsShow extends SkillCommand {
  static override summary = 'Show what a model gets of a skill, and where the skill came from.';
  static override examples = ['<%= config.bin %> <%= command.id %> skill-creator'];
  static override args = {name: Args.string({description: 'Name of the skill.', required: true, ignoreStdin: true})};
  static override slash = true;

  async run(): Promise<Shown> {
    const {args} = await this.parse(SkillsShow);
    const skill = await this.find(args.name);
    const content = await (await this.service('skills')).read(skill.name);
    const source = await findSource(content);
    const rows = [
      ['name', skill.name],
      ['origin', `${describeOrigin(skill)}${skill.enabled ? '' : ', disabled'}`],
      ['file', skill.file],
      ['description', skill.description],
      ['version', skill.version],
      ['license', skill.license],
      ['needs', skill.compatibility],
      ['tools', skill.allowedTools && `${skill.allowedTools.join(' ')} (for display: rules decide)`],
      ['from', source.installed && [source.installed.source, source.installed.commit].filter(Boolean).join(' ')],
      ['changed', source.isChanged ? 'yes: its files are not those that were installed' : undefined],
    ] as const;
    for (const [label, value] of rows) if (value) this.log(`${label.padEnd(12)} ${value}`);
    this.log(`\n${content.tree}\n`);
    this.print(content.body);
    return {...content, ...source};
  }
}

async function findSource({skill: {file, folder}}: SkillContent): Promise<Pick<Shown, 'installed' | 'isChanged'>> {
  const [{readSkillsLock}, {hashTree}] = await Promise.all([
    import('../../write/skills-lock.js'),
    import('@gemini-kernel/admission'),
  ]);
  const place = dirname(file);
  const installed = (await readSkillsLock(dirname(place)))[place.slice(dirname(place).length + 1)];
  if (installed?.tree === undefined) return {};
  return {installed, isChanged: hashTree(folder) !== installed.tree};
}
