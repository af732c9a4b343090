import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import {abilityLines} from '../../capabilities/ability-lines.js';
import {askTerminal} from '../../capabilities/ask-terminal.js';
import {findAbilities, type Ability} from '../../capabilities/find-abilities.js';
import {readAnswers} from '../../capabilities/read-answers.js';

interface Report {
  readonly terminal: string | null;
  readonly abilities: readonly Ability[];
}

/** Asks the terminal what it can do. */
export default class DoctorTerminal extends KernelCommand {
  static override summary = 'Ask this terminal what it can do, and how to fix what it cannot.';
  static override description =
    'Sends questions that terminals answer themselves, and waits for at most two seconds. Nothing is changed. The ' +
    'exit code is 0, whatever the terminal can do.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Report> {
    await this.parse(DoctorTerminal);
    const {input, output, signal} = this.host;
    // With --json, standard output may be a pipe; the questions need a terminal.
    const asked = output as NodeJS.WriteStream;
    if ((input as NodeJS.ReadStream).isTTY !== true || asked.isTTY !== true)
      throw new KernelError('TERMINAL_MISSING', 'There is no terminal to ask: the input or the output is not one.', {
        hint: 'Run it in the terminal that you want to know about, without a pipe.',
      });
    const heard = await askTerminal({input: input as NodeJS.ReadStream, output: asked}, signal);
    const answers = readAnswers(heard);
    const {environment} = this.kernel;
    const abilities = findAbilities({answers, environment, columns: asked.columns, rows: asked.rows});
    const terminal = answers.name ?? environment.variables['TERM_PROGRAM'] ?? environment.variables['TERM'] ?? null;
    this.#show(terminal, abilities, answers.answers);
    return {terminal, abilities};
  }

  #show(terminal: string | null, abilities: readonly Ability[], isAnswered: boolean): void {
    this.log(this.style('strong', terminal ?? 'An unnamed terminal'));
    if (!isAnswered) this.log(this.style('warn', 'It answered no question, so most of this is not known.'));
    for (const line of abilityLines(abilities, (...shown) => this.style(...shown))) this.log(line);
  }
}
