import {Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';

interface Result {
  /** The path of the file that --install wrote. */
  readonly file?: string;
  readonly address?: string;
  readonly port?: number;
  readonly pid?: number;
  readonly root?: string;
}

/** Makes a Neovim a companion while it runs. */
export default class IdeNeovim extends KernelCommand {
  static override summary = 'Make a running Neovim a companion of gemini.';
  static override description =
    'Reports to gemini which files are open in Neovim, where the cursor is and what is selected, and shows changes ' +
    'as a diff in a new tab: :w accepts a change, with your edits; :q rejects it. The command runs until Neovim ' +
    'ends. With --install, every Neovim starts it automatically. Requires Neovim 0.7 or newer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --install',
    {description: 'In a terminal inside Neovim', command: '<%= config.bin %> <%= command.id %>'},
    '<%= config.bin %> <%= command.id %> --attach /tmp/nvim.sock',
  ];
  static override flags = {
    attach: Flags.string({
      description: 'Address of the Neovim (v:servername). Without it, the one this terminal runs in ($NVIM).',
      helpValue: 'ADDRESS',
      exclusive: ['install'],
    }),
    install: Flags.boolean({description: 'Write a file that starts the companion with every Neovim, then exit.'}),
  };

  async run(): Promise<Result> {
    const {flags} = await this.parse(IdeNeovim);
    return flags.install ? this.#install() : this.#attach(flags.attach);
  }

  async #install(): Promise<Result> {
    const {installStartFile} = await import('../../install-file.js');
    const file = await installStartFile(this.kernel.environment);
    this.log(`Every Neovim now starts the companion (${file}).`);
    this.log(
      'Start Neovim in your project, then gemini in a terminal inside or beside it. Connect with gemini ide enable.',
    );
    return {file};
  }

  async #attach(given: string | undefined): Promise<Result> {
    const {environment} = this.kernel;
    const address = given ?? environment.variables['NVIM'];
    if (!address) {
      throw new KernelError(
        'NEOVIM_UNREACHABLE',
        'No Neovim to attach to: this terminal does not belong to one, and --attach is not given.',
        {
          hint:
            'Run it in a terminal inside Neovim, or pass --attach the address that :echo v:servername shows. With ' +
            '--install, every Neovim starts the companion.',
        },
      );
    }
    const {attachCompanion} = await import('../../attach-companion.js');
    const {signal} = this.host;
    const {port, pid, root, ended} = await attachCompanion({
      address,
      temporary: environment.temporary,
      signal,
      warn: (sentence) => this.logToStderr(`Warning: ${sentence}`),
    });
    if (environment.interactive)
      this.logToStderr(
        `Neovim (process ${pid}) in ${root} is a companion now, on port ${port}. To stop it, press Ctrl+C.`,
      );
    await ended;
    return {address, port, pid, root};
  }
}
