import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {SkillCommand} from '../../skill-command.js';

interface Packed {
  readonly name: string;
  readonly file: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

export default class SkillsPack extends SkillCommand {
  static override summary = 'Check a skill and pack it into one file, which others can install.';
  static override description =
    'The archive is a zip file without the folder tests. The same files give the same archive.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-skill',
    '<%= config.bin %> <%= command.id %> . -o ../out.skill',
  ];
  static override args = {folder: Args.string({description: 'Folder of the skill.', default: '.', ignoreStdin: true})};
  static override flags = {
    output: Flags.string({char: 'o', description: 'File to write; <name>.skill unless given.'}),
    force: Flags.boolean({char: 'f', description: 'Replace the file if it exists.'}),
  };

  async run(): Promise<Packed> {
    const {args, flags} = await this.parse(SkillsPack);
    const {cwd} = this.kernel.environment;
    const [{checkSkill}, {readFolder}, {writeZip}] = await Promise.all([
      import('../../write/check-skill.js'),
      import('../../archive/read-folder.js'),
      import('../../archive/write-zip.js'),
    ]);
    const folder = resolve(cwd, args.folder);
    const {name = '', problems} = await checkSkill(folder);
    const [worst] = problems.filter(({kind}) => kind !== 'advice');
    if (worst)
      throw new KernelError('SKILL_INVALID', `${folder} is not packed: ${worst.sentence}`, {
        hint: '`gemini skills check` names everything that is wrong.',
      });
    for (const {sentence} of problems) this.logToStderr(`${this.style('warn', '!')} ${sentence}`);
    const files = (await readFolder(folder)).filter(({path}) => !path.startsWith('tests/'));
    const bytes = writeZip(files.map((file) => ({...file, path: `${name}/${file.path}`})));
    const file = resolve(cwd, flags.output ?? `${name}.skill`);
    await writeFile(file, bytes, {flag: flags.force ? 'w' : 'wx'}).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EEXIST')
        throw new KernelError('SKILL_INVALID', `There is a ${file} already.`, {
          cause,
          hint: 'Pass --force to replace it.',
        });
      throw new KernelError('SKILL_INSTALL_FAILED', `Cannot write ${file}: ${messageOf(cause)}.`, {cause});
    });
    this.log(`Packed ${files.length} files of the skill "${name}" into ${file}.`);
    return {name, file, files: files.map(({path}) => path), bytes: bytes.length};
  }
}
