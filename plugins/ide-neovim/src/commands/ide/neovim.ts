import {Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';

interface Result {
  /** Written by --install. */
  readonly file?: string;
  readonly address?: string;
  readonly port?: number;
  readonly pid?: number;
  readonly root?: string;
}

/** Makes a Neovim a companion, as long as it runs. */
export default class IdeNeovim extends KernelCommand {
  static override summary = 'Make a Neovim that runs a companion of gemini.';
  static override description =
    'Tells gemini which files are open in Neovim, where the cursor is and what is selected, and shows changes as ' +
    'a diff in a tab of its own: :w takes a change (edit it first if you like), :q does not. It runs until Neovim ' +
    'ends. --install has every Neovim start it by itself. Neovim 0.7 or newer.';
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
    install: Flags.boolean({description: 'Write a file that starts the companion with every Neovim, and end.'}),
  };

  async run(): Promise<Result> {
    const {flags} = await this.parse(IdeNeovim);
    return flags.install ? this.#install() : this.#attach(flags.attach);
  }

  async #install(): Promise<Result> {
    const {installStartFile} = await import('../../install-file.js');
    const file = await installStartFile(this.kernel.environment);
    this.log(`Every Neovim starts the companion from now on (${file}).`);
    this.log(
      'Start Neovim in your project, then gemini in a terminal of it or beside it; gemini ide enable connects them.',
    );
    return {file};
  }

  async #attach(given: string | undefined): Promise<Result> {
    const {environment} = this.kernel;
    const address = given ?? environment.variables['NVIM'];
    if (!address) {
      throw new KernelError(
        'NEOVIM_UNREACHABLE',
        'It is not said which Neovim is meant: this terminal is not one of Neovim, and --attach is not given.',
        {
          hint:
            'Run it in a terminal inside Neovim, or give the address that :echo v:servername shows. --install has ' +
            'every Neovim start it.',
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
        `Neovim (process ${pid}) in ${root} is a companion now, at port ${port}. It ends with Neovim, or with Ctrl+C.`,
      );
    await ended;
    return {address, port, pid, root};
  }
}
