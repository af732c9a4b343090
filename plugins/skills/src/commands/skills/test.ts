import {join, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';
import type {Tested} from '@gemini-kernel/plugin-agent/cases';

export default class SkillsTest extends SkillCommand {
  static override summary = 'Run the cases of a skill against a model, or against recorded answers.';
  static override description =
    'Each file tests/*.toml is a case: a prompt, the files of a new project, the tools that have to be called and ' +
    'what files have to contain afterwards. A case runs in a temporary project, as a headless prompt that may read ' +
    'and edit there. A case that names a recording needs no model. The exit code is 1 when a case fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-skill',
    '<%= config.bin %> <%= command.id %> ./my-skill --model gemini-3-flash --allow run_shell_command',
  ];
  static override args = {folder: Args.string({description: 'Folder of the skill.', default: '.', ignoreStdin: true})};
  static override flags = {
    allow: Flags.string({
      description: 'A tool that may run without a question; can be repeated.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    model: Flags.string({char: 'm', description: 'Model to use, also instead of recordings.'}),
    only: Flags.string({description: 'Name of the only case to run.'}),
    deadline: Flags.integer({description: 'Seconds after which a case fails.', default: 300, min: 1}),
  };

  async run(): Promise<Tested> {
    const {args, flags} = await this.parse(SkillsTest);
    const {environment} = this.kernel;
    const folder = resolve(environment.cwd, args.folder);
    const [{checkSkill}, {describeResult, readCases, runCases}, {invalidCase, readReport, wordsOf}, {readFolder}] =
      await Promise.all([
        import('../../write/check-skill.js'),
        import('@gemini-kernel/plugin-agent/cases'),
        import('../../write/skill-case.js'),
        import('../../archive/read-folder.js'),
      ]);
    const {name = '', problems} = await checkSkill(folder);
    const [broken] = problems.filter(({kind}) => kind === 'broken');
    if (broken) throw new KernelError('SKILL_INVALID', broken.sentence);
    const all = await readCases(join(folder, 'tests'), invalidCase);
    const chosen = all.filter((one) => flags.only === undefined || one.name === flags.only);
    if (chosen.length === 0)
      throw new KernelError(
        'SKILL_INVALID',
        `The skill "${name}" has no tests${flags.only ? ` "${flags.only}"` : ''}.`,
        {
          hint: 'Add a case such as tests/basic.toml; `gemini skills show skill-creator` says what is in one.',
        },
      );
    const files = (await readFolder(folder)).map((file) => ({...file, path: `.gemini/skills/${name}/${file.path}`}));
    const tested = await runCases(chosen, {
      ...{name, environment, files, host: this.host, deadline: flags.deadline, read: readReport},
      wordsOf: (one) => wordsOf(one, {model: flags.model, allow: flags.allow ?? []}),
      onResult: (result) => this.log(describeResult(result, (style, text) => this.style(style, text))),
    });
    if (tested.failed > 0) this.host.end(1);
    this.log(`${tested.passed} of ${chosen.length} cases of the skill "${name}" passed.`);
    return tested;
  }
}
