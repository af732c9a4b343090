import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {Fact} from '../../contract.js';

export default class MemoryAdd extends KernelCommand {
  static override summary = 'Remember a fact: add it to a context file, once.';
  static override description =
    'global is for you everywhere, private for your notes about this project, project for everyone who works on it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Answer in German."',
    '<%= config.bin %> <%= command.id %> --scope project "Tests need a running PostgreSQL."',
    '/memory add The staging server is slow on Mondays.',
  ];
  static override args = {
    fact: Args.string({description: 'What to remember.', required: true, multiple: true, ignoreStdin: true}),
  };
  static override flags = {
    scope: Flags.string({
      description: 'Whom it is for.',
      options: ['global', 'private', 'project'],
      default: 'global',
    }),
  };
  static override slash = true;

  async run(): Promise<{readonly path: string; readonly isKnown: boolean}> {
    const {args, flags} = await this.parse(MemoryAdd);
    const fact = [args.fact].flat().join(' ');
    const input = {fact, scope: flags.scope as Fact['scope']};
    // By the one path of calls, so that rules and checkpoints hold. The person has already said yes.
    const outcome = await this.conversation.call(
      {tool: 'save_memory', input},
      {asker: 'person', confirm: async () => ({decision: 'yes'})},
    );
    if (outcome.status === 'done') {
      this.log(outcome.result.display ?? '');
      return outcome.result.data as {path: string; isKnown: boolean};
    }
    if (outcome.status === 'refused')
      throw new KernelError('MEMORY_UNCHANGED', `The fact was not kept: ${outcome.reason}`, {
        hint: 'gemini policy explain save_memory shows the rule.',
      });
    const {code, message, hint} = outcome.error;
    throw new KernelError(code, message, hint === undefined ? {} : {hint});
  }
}
