import {lstat} from 'node:fs/promises';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {CodeSymbol} from '../../contract.js';
import {maxTokens} from '../../show/budget.js';
import {mapText} from '../../show/map-text.js';
import {outlineText, visibleSymbols} from '../../show/outline-text.js';
import {pathShower} from '../../show/shown-path.js';

type Shown =
  | {readonly path: string; readonly language: string; readonly symbols: readonly CodeSymbol[]}
  | {readonly path: string; readonly files: readonly string[]};

export default class CodeOutline extends KernelCommand {
  static override summary = 'List the symbols of a file or folder, with signatures and lines.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> src/main.ts',
    '<%= config.bin %> <%= command.id %> src --max-tokens 500',
    '<%= config.bin %> <%= command.id %> src/main.ts --json',
  ];
  static override args = {path: Args.string({description: 'File or folder.', required: true})};
  static override flags = {'max-tokens': Flags.integer(maxTokens)};
  static override slash = true;

  async run(): Promise<Shown> {
    const {args, flags} = await this.parse(CodeOutline);
    const [code, workspace] = await Promise.all([this.service('code'), this.service('workspace')]);
    const path = await workspace.resolve(args.path, {access: 'read'});
    const tokens = flags['max-tokens'];
    const found = await lstat(path).catch((cause: unknown) => {
      throw new KernelError('CODE_UNREADABLE', `Cannot outline ${args.path}: it does not exist or cannot be read.`, {
        cause,
        hint: 'Check the path.',
      });
    });
    if (found.isDirectory()) {
      const {text, files, leftOut} = mapText(await code.ranked(path), {tokens, shownPath: await pathShower(workspace)});
      this.log(files.length === 0 ? `${args.path} has no files of a known language.` : text);
      if (leftOut > 0) this.log(this.style('dim', `(${leftOut} more files; set --max-tokens.)`));
      return {path, files};
    }
    const outline = await code.outline(path);
    const {text, shown, leftOut} = outlineText(outline, tokens);
    this.log(shown === 0 ? `${args.path} has no symbols.` : text);
    if (leftOut > 0) this.log(this.style('dim', `(${leftOut} more symbols; set --max-tokens.)`));
    if (outline.hasFaults) this.log(this.style('warn', 'The file has syntax errors; symbols may be missing.'));
    return {path, language: outline.language, symbols: visibleSymbols(outline.symbols).map(({symbol}) => symbol)};
  }
}
