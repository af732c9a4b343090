import {createRequire} from 'node:module';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';

export default class Acp extends KernelCommand {
  static override summary = 'Work as the agent of an editor, over the Agent Client Protocol.';
  static override description =
    'An editor, such as Zed, Neovim or an IDE of JetBrains, starts this command and speaks with it over standard ' +
    'input and output. Each thread of the editor is a session with a folder of its own. Same as --acp.';
  static override examples = [
    '<%= config.bin %> --acp',
    '<%= config.bin %> <%= command.id %> --approval-mode auto_edit',
  ];
  static override aliases = ['--acp', '--experimental-acp'];

  async run(): Promise<void> {
    await this.parse(Acp);
    if (this.jsonEnabled())
      throw new KernelError('ACP_INVALID', '--json cannot be used with --acp.', {
        hint: 'Leave it out: standard output is the protocol.',
      });
    const {input, output, signal} = this.host;
    if ((input as NodeJS.ReadStream).isTTY)
      this.logToStderr('Waiting for an editor on standard input. Ctrl+C ends the agent. See docs/editors-acp.md.');
    const {version} = createRequire(import.meta.url)('../../package.json') as {readonly version: string};
    const [{serveOverStdio}, sdk] = await Promise.all([import('../serve/serve-stdio.js'), import('#sdk')]);
    await serveOverStdio(
      {
        ...{sdk, version, kernel: this.kernel},
        slash: (words, session, into) => this.host.slash(words, {kernel: this.kernel, session}, into),
        log: (line) => this.logToStderr(line),
      },
      // Both are streams of this process.
      {input: input as NodeJS.ReadStream, output: output as NodeJS.WriteStream, signal},
    );
    signal.throwIfAborted();
  }
}
