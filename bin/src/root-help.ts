import {oclif} from './oclif-config.js';

/** The part of a command's help that is about flags. */
class FlagsHelp extends oclif.CommandHelp {
  protected override sections(): ReturnType<oclif.CommandHelp['sections']> {
    return super.sections().filter(({header}) => header.endsWith('FLAGS'));
  }
}

/** Whether the line asks for help with the program, and with no command of it. */
export function asksForRootHelp(words: readonly string[]): boolean {
  return words.every((word) => ['--help', '-h', 'help'].includes(word));
}

/** The flags of the command that takes prompts, which stand behind the program's name alone. */
export function describePromptFlags(config: oclif.Config, prompt: string): string {
  const command = config.findCommand(prompt);
  return command
    ? `${new FlagsHelp(command, config, {maxWidth: Math.min(process.stdout.columns ?? 80, 100)}).generate()}\n`
    : '';
}
