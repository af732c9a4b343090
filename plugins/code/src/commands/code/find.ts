import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Found, FoundSymbol, Reference} from '../../contract.js';
import {findText} from '../../show/find-text.js';
import {pathShower} from '../../show/shown-path.js';

const WHAT = ['definitions', 'references', 'implementations'] as const;

export default class CodeFind extends KernelCommand {
  static override summary = 'Find where a symbol is defined, where it is used, or what implements it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> parseConfig',
    '<%= config.bin %> <%= command.id %> Parser.next --what references --in src',
    '<%= config.bin %> <%= command.id %> Shape --what implementations --json',
  ];
  static override args = {name: Args.string({description: 'name, or Owner.name', required: true})};
  static override flags = {
    what: Flags.string({description: 'What to find.', options: WHAT, default: 'definitions'}),
    in: Flags.string({description: 'Only in this file or folder.'}),
    'defined-in': Flags.string({description: 'The file that defines it, when several symbols have the name.'}),
    most: Flags.integer({description: 'How many to show.', min: 1, max: 10_000, default: 100}),
  };
  static override slash = true;

  async run(): Promise<Found<FoundSymbol | Reference> & {readonly name: string; readonly what: string}> {
    const {args, flags} = await this.parse(CodeFind);
    const [code, workspace] = await Promise.all([this.service('code'), this.service('workspace')]);
    const what = WHAT.find((one) => one === flags.what) ?? 'definitions';
    const resolve = async (path: string | undefined): Promise<string | undefined> =>
      path === undefined ? undefined : workspace.resolve(path, {access: 'read'});
    const [path, definedIn] = await Promise.all([resolve(flags.in), resolve(flags['defined-in'])]);
    const found: Found<FoundSymbol | Reference> = await code[what]({
      ...{name: args.name, most: flags.most},
      ...(path === undefined ? {} : {path}),
      ...(definedIn === undefined ? {} : {definedIn}),
    });
    const similar = found.items.length === 0 ? await code.similar(args.name) : [];
    this.log(findText(found, {name: args.name, what, similar, shownPath: await pathShower(workspace)}));
    return {name: args.name, what, ...found};
  }
}
