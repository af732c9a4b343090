import {KernelCommand} from '@gemini-kernel/command';
import {statSync} from 'node:fs';
import {basename, dirname, join, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {readText} from '@gemini-kernel/files';
import {isKernelError, KernelError, messageOf} from '@gemini-kernel/kernel';
import {commandName} from '../../files/command-name.js';
import {fileOfName} from '../../files/file-of-name.js';
import {findFiles} from '../../files/find-files.js';
import {writeCommand} from '../../files/write-command.js';
import {convertMarkdown} from '../../import/convert-markdown.js';
import {shellOf} from '../../template/shell-kind.js';

interface Imported {
  readonly name: string;
  readonly from: string;
  readonly file: string;
  readonly notes: readonly string[];
  /** Why it was not taken. */
  readonly skipped?: string;
}

interface Source {
  readonly file: string;
  readonly path: readonly string[];
  /** The folder of the new files. */
  readonly target: string;
}

export default class CommandsImport extends KernelCommand {
  static override summary = 'Convert Markdown commands of Claude Code to custom commands.';
  static override description =
    'Reads .claude/commands of this directory and of your home, or the folder or file that you name, and writes TOML ' +
    'files to .gemini/commands. Commands that you have already are kept as they are.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> ../other/.claude/commands --user',
  ];
  static override args = {path: Args.string({description: 'The only folder or file to read.', ignoreStdin: true})};
  static override flags = {
    user: Flags.boolean({description: 'Write all of them for all projects.'}),
    overwrite: Flags.boolean({description: 'Replace commands of the same name.'}),
    'dry-run': Flags.boolean({description: 'Show what would be written, and change nothing.'}),
  };

  async run(): Promise<{readonly commands: readonly Imported[]}> {
    const {args, flags} = await this.parse(CommandsImport);
    const {home, cwd} = this.kernel.environment;
    const [ofProject, ofUser] = [cwd, home].map((folder) => join(folder, '.gemini', 'commands')) as [string, string];
    const chosen = flags.user ? ofUser : ofProject;
    const sources =
      args.path === undefined
        ? [...this.#search(cwd, chosen), ...(cwd === home ? [] : this.#search(home, ofUser))]
        : this.#read(resolve(cwd, args.path), chosen);
    const commands: Imported[] = [];
    for (const source of sources) commands.push(await this.#take(source, flags));
    for (const one of commands) this.#show(one, flags['dry-run']);
    if (commands.length === 0) this.log('No commands of Claude Code were found.');
    return {commands};
  }

  #search(folder: string, target: string): readonly Source[] {
    return this.#find(join(folder, '.claude', 'commands'), target);
  }

  #find(folder: string, target: string): readonly Source[] {
    const {files, faults} = findFiles(folder, '.md');
    for (const {reason} of faults) this.logToStderr(this.style('warn', reason));
    return files.map(({file, path}) => ({file, path, target}));
  }

  #read(path: string, target: string): readonly Source[] {
    const found = statSync(path, {throwIfNoEntry: false});
    if (!found)
      throw new KernelError('CUSTOM_COMMAND_UNKNOWN', `There is no file or folder ${path}.`, {
        hint: 'Name a Markdown file, or a folder of them.',
      });
    return found.isDirectory() ? this.#find(path, target) : [{file: path, path: [basename(path)], target}];
  }

  async #take(
    {file: from, path, target}: Source,
    flags: {readonly overwrite: boolean; readonly 'dry-run': boolean},
  ): Promise<Imported> {
    const name = commandName(path);
    const about = {name, from, file: join(target, ...name.split(':')), notes: []};
    try {
      const file = fileOfName(target, name);
      const converted = convertMarkdown(await readText(from, {limit: 1 << 20}), shellOf(this.kernel.environment));
      if (typeof converted === 'string') return {...about, file, skipped: converted};
      const isThere = statSync(file, {throwIfNoEntry: false}) !== undefined;
      if (isThere && !flags.overwrite)
        return {...about, file, skipped: 'you have a command of this name (--overwrite replaces it)'};
      if (!flags['dry-run']) await writeCommand(file, converted.command, flags.overwrite);
      return {...about, file, notes: converted.notes};
    } catch (error) {
      const isExpected = isKernelError(error) || typeof (error as NodeJS.ErrnoException).code === 'string';
      if (!isExpected) throw error;
      return {...about, skipped: messageOf(error)};
    }
  }

  #show({name, from, file, notes, skipped}: Imported, isDry: boolean): void {
    if (skipped !== undefined) {
      this.log(`${this.style('dim', '○')} /${name}  ${from} was not taken: ${skipped}`);
      return;
    }
    this.log(
      `${this.style('good', isDry ? '+' : '✓')} /${name}  ${file}${this.style('dim', `  from ${dirname(from)}`)}`,
    );
    for (const note of notes) this.log(`    ${note}`);
  }
}
