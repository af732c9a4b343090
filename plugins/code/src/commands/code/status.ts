import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {CodeStatus} from '../../contract.js';
import {pathShower} from '../../show/shown-path.js';

const MOST_LISTED = 20;

export default class CodeStatusCommand extends KernelCommand {
  static override summary = 'Bring the index of symbols up to date, and show what is in it.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<CodeStatus> {
    await this.parse(CodeStatusCommand);
    const [code, workspace] = await Promise.all([this.service('code'), this.service('workspace')]);
    const status = await code.status();
    const {files, symbols, languages, leftOut, parsed, ms} = status;
    this.log(`${files} files with ${symbols} symbols; ${parsed} were read just now, in ${ms} ms.`);
    for (const {name, files: count} of languages) this.log(`${String(count).padStart(8)}  ${name}`);
    const shownPath = await pathShower(workspace);
    for (const {path, reason} of leftOut.slice(0, MOST_LISTED)) this.log(`Left out: ${shownPath(path)} ${reason}.`);
    if (leftOut.length > MOST_LISTED) this.log(`Left out: ${leftOut.length - MOST_LISTED} more files; see --json.`);
    this.log(`Kept in ${status.file}.`);
    return status;
  }
}
