import {KernelCommand} from '@gemini-kernel/command';
import type {ServerInfo} from '../../contract.js';

export default class CodeServersCommand extends KernelCommand {
  static override summary = 'List the language servers that are installed, and which of them are used.';
  static override description =
    'gemini takes programs in PATH that are outside of the project, and fetches none. The setting code.servers names ' +
    'the command for a language; the setting code.checkEdits switches off the checks after edits.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];
  static override slash = true;

  async run(): Promise<{readonly servers: readonly ServerInfo[]}> {
    await this.parse(CodeServersCommand);
    const servers = await (await this.service('code-servers')).list();
    const width = Math.max(...servers.map(({name}) => name.length));
    for (const {name, languages, state, file, reason} of servers) {
      const about = [file, reason].filter((one) => one !== undefined).join(': ');
      const line = `${state.padEnd(7)}  ${name.padEnd(width)}  ${languages.join(', ')}`;
      this.log(about === '' ? line : `${line}\n${' '.repeat(9)}${about}`);
    }
    return {servers};
  }
}
