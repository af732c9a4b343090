import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {maxTokens} from '../../show/budget.js';
import {mapText} from '../../show/map-text.js';
import {pathShower} from '../../show/shown-path.js';

interface Mapped {
  readonly files: readonly {readonly path: string; readonly score: number; readonly symbols: number}[];
}

export default class CodeMap extends KernelCommand {
  static override summary = 'Show the files and symbols that the rest of this project uses most.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> src --max-tokens 500',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override args = {path: Args.string({description: 'Only this folder.'})};
  static override flags = {'max-tokens': Flags.integer(maxTokens)};
  static override slash = true;

  async run(): Promise<Mapped> {
    const {args, flags} = await this.parse(CodeMap);
    const [code, workspace] = await Promise.all([this.service('code'), this.service('workspace')]);
    const path = args.path === undefined ? undefined : await workspace.resolve(args.path, {access: 'read'});
    const ranked = await code.ranked(path);
    const tokens = flags['max-tokens'];
    const {text, files, leftOut} = mapText(ranked, {tokens, shownPath: await pathShower(workspace)});
    this.log(files.length === 0 ? 'There are no files of a known programming language.' : text);
    if (leftOut > 0) this.log(this.style('dim', `(${leftOut} more files; set --max-tokens.)`));
    return {files: ranked.map((file) => ({path: file.path, score: file.score, symbols: file.symbols.length}))};
  }
}
