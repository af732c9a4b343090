import {KernelCommand} from '@gemini-kernel/command';
import {join} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {fileOfName} from '../../files/file-of-name.js';
import {writeCommand} from '../../files/write-command.js';
import {parseTemplate} from '../../template/parse-template.js';
import {shellOf} from '../../template/shell-kind.js';
import {TemplateFault} from '../../template/template-fault.js';
import {explainLeftOut} from '../../find-command.js';

const EXAMPLE =
  'Describe here what the model should do with {{args}}.\n' +
  'Content of a file: write its path between @{ and }.\n' +
  'Output of a command: write it between an exclamation mark, { and }.\n';

export default class CommandsNew extends KernelCommand {
  static override summary = 'Write the file of a new custom command.';
  static override description = 'The file is in .gemini/commands of this directory, or with --user of your home.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> review',
    {
      description: 'A command for all projects that explains a change',
      command:
        '<%= config.bin %> <%= command.id %> git:explain --user --description "Explain a commit" ' +
        '--prompt "Explain this commit: !{git show {{args}}}"',
    },
  ];
  static override args = {
    name: Args.string({description: 'Its name; ":" separates folders.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    user: Flags.boolean({description: 'For all projects.'}),
    description: Flags.string({description: 'One line for lists.'}),
    prompt: Flags.string({char: 'p', description: 'The prompt; an example unless set.'}),
  };

  async run(): Promise<{readonly name: string; readonly file: string}> {
    const {args, flags} = await this.parse(CommandsNew);
    const {home, cwd} = this.kernel.environment;
    const file = fileOfName(join(flags.user ? home : cwd, '.gemini', 'commands'), args.name);
    const prompt = flags.prompt ?? EXAMPLE;
    this.#check(prompt);
    await writeCommand(file, {description: flags.description ?? `The command ${args.name}.`, prompt});
    const name = args.name.replace(/^\//, '').replaceAll('/', ':');
    this.log(`Wrote ${file}. Edit it, and type /${name} in a conversation.`);
    const listing = await (await this.service('custom-commands')).list();
    if (!flags.user) for (const why of explainLeftOut(listing)) this.logToStderr(this.style('warn', why));
    return {name, file};
  }

  #check(prompt: string): void {
    try {
      parseTemplate(prompt, shellOf(this.kernel.environment));
    } catch (cause) {
      if (!(cause instanceof TemplateFault)) throw cause;
      const message = `The prompt is invalid at character ${cause.offset + 1}: ${cause.message}.`;
      throw new KernelError('CUSTOM_COMMAND_INVALID', message, {
        cause,
        hint: 'Move the placeholder. docs/commands.md says what a prompt can contain.',
      });
    }
  }
}
