import {join} from 'node:path';
import {Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import {composeContext} from '../init/compose.js';
import {ProjectFolder} from '../init/project-folder.js';

interface Made {
  readonly path: string;
  readonly text: string;
  readonly isWritten: boolean;
}

export default class Init extends KernelCommand {
  static override summary = 'Write a context file for this project, from what its files say.';
  static override description =
    'Looks at build files, scripts, folders, rules of style and the files of other agents, shows the file that it ' +
    'would write, and asks. No model is needed; ask one to complete the file afterwards.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    {description: 'Only show it', command: '<%= config.bin %> <%= command.id %> --print'},
    {
      description: 'Write it without a question, as a script would',
      command: '<%= config.bin %> <%= command.id %> --yes',
    },
  ];
  static override flags = {
    print: Flags.boolean({description: 'Print the file, and write nothing.', exclusive: ['yes']}),
    yes: Flags.boolean({description: 'Write it without a question, also over an existing file.'}),
  };
  static override slash = true;

  async run(): Promise<Made> {
    const {flags} = await this.parse(Init);
    const {cwd} = this.kernel.environment;
    const named = await (await this.service('settings')).get('context.fileName');
    const [name = 'GEMINI.md'] = [named].flat().filter((one) => typeof one === 'string');
    const folder = await ProjectFolder.open(cwd);
    const text = await composeContext(folder, name);
    const path = join(cwd, name);
    const before = folder.files.has(name) ? await folder.read(name) : undefined;
    if (flags.print || before === text) {
      if (flags.print) this.print(text);
      else this.log(`${path} is as it would be written.`);
      return {path, text, isWritten: false};
    }
    if (!flags.yes && !(await this.#agree({path, text, before}))) return {path, text, isWritten: false};
    await this.#write(name, text);
    this.log(`Wrote ${path}. Complete it, or ask a model to: gemini "look at the project and complete ${name}"`);
    return {path, text, isWritten: true};
  }

  /** Throws KernelError CONTEXT_EXISTS where no one can be asked about a file that is there. */
  async #agree({
    path,
    text,
    before,
  }: {
    readonly path: string;
    readonly text: string;
    readonly before: string | undefined;
  }): Promise<boolean> {
    const isThere = before !== undefined;
    const answer = await this.ask({
      title: isThere ? `Replace ${path}?` : `Write ${path}?`,
      text: isThere ? compare(before, text) : text.trimEnd(),
      about: {kind: 'context-file', path},
      fields: [{name: 'write', label: isThere ? 'Replace it' : 'Write it', kind: 'yes-no', default: !isThere}],
    });
    if (answer.outcome === 'answered') return answer.values['write'] === true;
    if (answer.outcome === 'closed') return false;
    throw new KernelError('CONTEXT_UNCONFIRMED', `${path} was not written: no one can be asked here.`, {
      hint: 'Pass --yes to write it, or --print to see it.',
    });
  }

  /** By the one path of calls, so that rules and checkpoints hold. The person has already said yes. */
  async #write(name: string, text: string): Promise<void> {
    const input = {file_path: name, content: text};
    const outcome = await this.conversation.call(
      {tool: 'write_file', input},
      {asker: 'person', confirm: async () => ({decision: 'yes'})},
    );
    if (outcome.status === 'done') return;
    const reason = outcome.status === 'refused' ? outcome.reason : outcome.error.message;
    throw new KernelError('CONTEXT_UNWRITABLE', `Cannot write ${name}: ${reason}`, {
      hint: 'Pass --print, and write it yourself.',
    });
  }
}

/** The lines that go and those that come. */
function compare(before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => line.trim() !== '' && !fresh.includes(line)).map((line) => `- ${line}`);
  const come = fresh.filter((line) => line.trim() !== '' && !old.includes(line)).map((line) => `+ ${line}`);
  return [...gone, ...come].join('\n');
}
