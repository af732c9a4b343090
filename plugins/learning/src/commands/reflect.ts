import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {Finding} from '../contract.js';
import {findSignals} from '../reflect/find-signals.js';

export default class Reflect extends KernelCommand {
  static override summary = 'Look at a session for what a rule, a note, or a command would have saved.';
  static override description =
    'Looks for refusals, failures, searches, reads and prompts that repeat. No model is asked, and nothing is ' +
    'changed: each finding has its evidence, and the command or the text that would make the difference.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 3 --json',
    '/reflect',
  ];
  static override args = {
    session: Args.string({
      description: 'Number, id or latest. Default in a conversation: the current one.',
      ignoreStdin: true,
    }),
  };
  static override slash = true;

  async run(): Promise<{readonly session: string; readonly findings: readonly Finding[]}> {
    const {args} = await this.parse(Reflect);
    const name = args.session ?? (this.session.live ? 'current' : 'latest');
    const session = await (await this.service('sessions')).open(name);
    const findings = findSignals(session.entries);
    this.log(`${this.style('strong', session.title)} ${this.style('dim', session.id)}`);
    for (const finding of findings) this.#show(finding);
    if (findings.length === 0) this.log('Nothing stands out.');
    return {session: session.id, findings};
  }

  #show({kind, sentence, evidence, command, file, text}: Finding): void {
    this.log(`\n${this.style('strong', kind)}: ${sentence}`);
    this.log(this.style('dim', `  seen in ${evidence.join(', ')}`));
    if (command !== undefined) this.log(`  $ ${command}`);
    if (file !== undefined && text !== undefined) this.log(`  in ${file}:\n${text.replaceAll(/^/gm, '    ')}`);
  }
}
