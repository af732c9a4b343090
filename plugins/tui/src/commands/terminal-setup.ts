import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-ide/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {abilityLines} from '../capabilities/ability-lines.js';
import {askTerminal} from '../capabilities/ask-terminal.js';
import {findAbilities, NEWLINE_ABILITY, type Ability} from '../capabilities/find-abilities.js';
import {readAnswers} from '../capabilities/read-answers.js';
import {EDITORS} from '../programs/editor-places.js';
import {setUpKeys, type KeysOutcome} from '../programs/set-up-keys.js';
import {findPrograms} from '../programs/terminal-programs.js';

interface Setup {
  /** The programs that show this terminal, the innermost first. */
  readonly programs: readonly string[];
  readonly abilities: readonly Ability[];
  readonly keys: KeysOutcome | null;
}

/** A setup does not change the size: it is left out. */
const SIZE = {columns: 80, rows: 24};

/** Finds the terminal program, and sets up what it lacks. */
export default class TerminalSetup extends KernelCommand {
  static override summary = 'Find your terminal program, and set up Shift+Enter and the like.';
  static override description =
    'Says what the terminal can do, and what to put where for the rest. For VS Code, Cursor, Windsurf and others of ' +
    'their kind, it adds Shift+Enter to keybindings.json: it shows the change, asks, keeps a copy of the file, and ' +
    'leaves all else in it as it is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> cursor',
    '<%= config.bin %> <%= command.id %> --yes',
  ];
  static override args = {
    editor: Args.string({
      description: 'The editor whose keys to change, if it is not found.',
      options: Object.keys(EDITORS),
      ignoreStdin: true,
    }),
  };
  static override flags = {
    yes: Flags.boolean({description: 'Change the keys of the editor without a question.', default: false}),
  };
  static override slash = true;

  async run(): Promise<Setup> {
    const {args, flags} = await this.parse(TerminalSetup);
    const {environment} = this.kernel;
    const found = findPrograms(environment.variables);
    const heard = await this.#ask();
    const all = findAbilities({answers: readAnswers(heard ?? ''), environment, ...SIZE});
    const abilities = all.filter(({name}) => name !== 'size');
    const programs = found.map(({name}) => name);
    this.log(this.style('strong', programs.length > 0 ? programs.join(' in ') : 'A terminal that is not known'));
    const works = abilities.some(({name, can}) => name === NEWLINE_ABILITY && can === 'yes');
    const isOurs = found.some(({isEditor}) => isEditor) && !works;
    // A named editor may show other terminals than this one.
    const editor = args.editor ?? (isOurs ? await this.#findEditor() : undefined);
    // What cannot be set up is for gemini doctor terminal.
    const shown = abilities.filter(
      ({name, can, fix}) => can === 'yes' || (fix !== undefined && !(isOurs && name === NEWLINE_ABILITY)),
    );
    for (const line of abilityLines(shown, (...styled) => this.style(...styled))) this.log(line);
    if (heard === undefined)
      this.log('The terminal could not be asked: run gemini doctor terminal in it to know more.');
    const keys = editor === undefined ? null : await this.#setUp(editor, flags.yes);
    if (keys === null && !abilities.some(({fix}) => fix !== undefined)) this.log('There is nothing to set up.');
    return {programs, abilities, keys};
  }

  async #setUp(editor: string, isSure: boolean): Promise<KeysOutcome> {
    return setUpKeys(editor, {
      ...{environment: this.kernel.environment, files: await this.service('config-files'), isSure},
      say: (line) => this.log(line),
      ask: (form) => this.ask(form),
    });
  }

  /** What the terminal answers about itself; undefined without a terminal to ask. */
  async #ask(): Promise<string | undefined> {
    const {input, output, signal} = this.host;
    const [asked, answering] = [output as NodeJS.WriteStream, input as NodeJS.ReadStream];
    if (answering.isTTY !== true || asked.isTTY !== true) return undefined;
    // A conversation leaves what is typed to a command that reads it, which this event says.
    const take = (): void => undefined;
    answering.on('keypress', take);
    try {
      return await askTerminal({input: answering, output: asked}, signal);
    } finally {
      answering.off('keypress', take);
    }
  }

  /** Forks claim to be VS Code: the connection to editors knows better, where it is installed. */
  async #findEditor(): Promise<string> {
    if (!this.host.catalog.services.has('ide')) return 'vscode';
    const {detected} = await (await this.service('ide')).discover();
    return detected && Object.hasOwn(EDITORS, detected.name) ? detected.name : 'vscode';
  }
}
