import {join, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {readText} from '@gemini-kernel/files';
import {KernelError, messageOf} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import {isTable} from '../../is-table.js';
import {readClaude, type FoundHook} from '../../import/read-claude.js';

interface Imported {
  readonly event: string;
  readonly command: string;
  readonly from: string;
  /** Why it was not taken. */
  readonly skipped?: string;
}

interface ImportReport {
  readonly hooks: readonly Imported[];
  readonly notes: readonly string[];
  readonly file?: string;
}

export default class HooksImport extends KernelCommand {
  static override summary = 'Take over hooks that Claude Code has configured.';
  static override description =
    'Reads .claude/settings.json here and in your home, or the file that you name. The hooks keep the JSON of Claude ' +
    'Code. A hook that you have already is kept as it is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %> ~/.claude/settings.json',
    '<%= config.bin %> <%= command.id %> .claude/settings.json --scope project',
  ];
  static override args = {file: Args.string({description: 'The only file to read.', ignoreStdin: true})};
  static override flags = {
    scope: Flags.option({
      char: 's',
      description: 'The settings that keep the hooks.',
      options: ['user', 'project'] as const,
      default: 'user' as const,
    })(),
    'dry-run': Flags.boolean({description: 'Show what would be taken, and change nothing.'}),
  };

  async run(): Promise<ImportReport> {
    const {args, flags} = await this.parse(HooksImport);
    const {home, cwd} = this.kernel.environment;
    const files =
      args.file === undefined
        ? [join(cwd, '.claude', 'settings.json'), join(home, '.claude', 'settings.json')]
        : [resolve(cwd, args.file)];
    const service = await this.service('hooks');
    const known = new Set((await service.list()).map(({event, command}) => `${event} ${command}`));
    const hooks: Imported[] = [];
    const notes: string[] = [];
    let file: string | undefined;
    for (const from of new Set(files)) {
      const found = readClaude(await this.readFile(from, args.file !== undefined));
      notes.push(...found.notes);
      for (const hook of found.hooks) {
        const skipped = known.has(`${hook.event} ${hook.command}`) ? 'you have it' : whyNot(hook, flags.scope);
        hooks.push({event: hook.event, command: hook.command, from, ...(skipped === undefined ? {} : {skipped})});
        if (skipped !== undefined || flags['dry-run']) continue;
        const settings = await this.service('settings');
        ({path: file} = await settings.append(`hooks.${hook.event}`, [hook.definition], {scope: flags.scope}));
      }
    }
    await service.reload();
    this.show(hooks, notes, file);
    return {hooks, notes, ...(file === undefined ? {} : {file})};
  }

  private async readFile(file: string, isNamed: boolean): Promise<unknown> {
    let text: string;
    try {
      text = await readText(file);
    } catch (error) {
      if (!isNamed && ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw unreadable(file, error);
    }
    try {
      const value: unknown = JSON.parse(text);
      if (isTable(value)) return value;
    } catch (error) {
      throw unreadable(file, error);
    }
    throw unreadable(file, new Error('it is not a JSON object'));
  }

  private show(hooks: readonly Imported[], notes: readonly string[], file: string | undefined): void {
    for (const {event, command, skipped} of hooks) {
      const mark = skipped === undefined ? this.style('good', file === undefined ? '+' : '✓') : this.style('dim', '○');
      this.log(`${mark} ${event}  ${command}${skipped === undefined ? '' : `  ${this.style('dim', skipped)}`}`);
    }
    for (const note of notes) this.log(note);
    if (hooks.length === 0) this.log('No hooks of Claude Code were found.');
    if (file !== undefined) this.logToStderr(`Written to ${file}. \`gemini hooks test <hook>\` tries one.`);
  }
}

/** In your own settings a hook runs in every project, and would run whatever script that project has. */
function whyNot({command}: FoundHook, scope: string): string | undefined {
  return scope === 'user' && /\$\{?(CLAUDE|GEMINI)_PROJECT_DIR|(^|\s)\.{1,2}\//.test(command)
    ? 'it runs a file of this project: take it with --scope project'
    : undefined;
}

function unreadable(file: string, cause: unknown): KernelError {
  return new KernelError('HOOK_IMPORT_FAILED', `Cannot read ${file}: ${messageOf(cause).replace(/\.$/, '')}.`, {
    hint: 'Correct the file, or name another one.',
    cause,
  });
}
