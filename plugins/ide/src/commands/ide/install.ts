import {setTimeout as pause} from 'node:timers/promises';
import {Args} from '@oclif/core';
import {findNearest, KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {IdeInfo} from '../../contract.js';
import type {InstallableEditor} from '../../install/installable-editors.js';

interface Installation {
  readonly installed: boolean;
  readonly editor: IdeInfo;
  /** The command that installed it, and the end of its output. */
  readonly command?: string;
  readonly said?: string;
  /** Whether gemini is connected to this terminal's editor now. */
  readonly connected: boolean;
  /** What is left to do. */
  readonly next?: string;
}

/** How long a newly installed companion may take to start, and how often to look for it. */
const BEGINNING = {mostMs: 10_000, lookMs: 500};

/** Installs the companion into an editor. */
export default class IdeInstall extends KernelCommand {
  static override summary = "Install the companion into your editor with the editor's own command line.";
  static override description =
    'Without a name, it installs into the editor that this terminal belongs to; then it enables ide.enabled ' +
    'and connects. Forks of VS Code get the companion from Open VSX or from their own marketplace. For editors ' +
    'without such a command line it prints what to do. The exit code is 1 when nothing was installed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> vscode',
    '<%= config.bin %> <%= command.id %> cursor --json',
  ];
  static override args = {
    editor: Args.string({
      description:
        'Short name of the editor: vscode, vscode-insiders, vscodium, cursor, windsurf, positron, antigravity, trae, ' +
        'firebasestudio, neovim.',
      ignoreStdin: true,
    }),
  };
  static override slash = true;

  async run(): Promise<Installation> {
    const {args} = await this.parse(IdeInstall);
    const {environment} = this.kernel;
    const {detected} = await (await this.service('ide')).discover();
    const [{installableEditors}, {adviceFor, otherEditors}] = await Promise.all([
      import('../../install/installable-editors.js'),
      import('../../install/other-editors.js'),
    ]);
    const editor = chooseEditor(args.editor, detected, [...installableEditors, ...otherEditors]);
    const info = {name: editor.name, displayName: editor.displayName};
    const installable = installableEditors.find(({name}) => name === editor.name);
    if (!installable) return this.#advise(info, adviceFor(info));
    const {installCompanion} = await import('../../install/install-companion.js');
    const onRun = (command: string): void =>
      environment.interactive ? this.logToStderr(`Running ${command} …`) : undefined;
    const {command, said} = await installCompanion(installable, {environment, signal: this.host.signal, onRun});
    this.log(`${this.style('good', '✓')} Installed the companion into ${info.displayName} with ${command}.`);
    if (said !== '') this.log(this.style('dim', said));
    const connected = detected?.name === info.name && (await this.#begin(installable));
    const next = connected
      ? undefined
      : `Open a folder and a new terminal in ${info.displayName}, and run gemini ide enable there.`;
    if (next) this.log(next);
    return {installed: true, editor: info, command, said, connected, ...(next ? {next} : {})};
  }

  #advise(editor: IdeInfo, next: string): Installation {
    this.log(next);
    if (!this.host.live) this.host.end(1);
    return {installed: false, editor, connected: false, next};
  }

  /** Enables the connection, and waits for the companion of this terminal's editor to start. */
  async #begin({displayName}: InstallableEditor): Promise<boolean> {
    await (await this.service('settings')).set('ide.enabled', true, {scope: 'user'});
    if (this.kernel.environment.interactive) this.logToStderr(`Waiting for ${displayName} to start the companion …`);
    const ide = await this.service('ide');
    const {signal} = this.host;
    const late = AbortSignal.timeout(BEGINNING.mostMs);
    const either = AbortSignal.any([signal, late]);
    while (!either.aborted) {
      const {state, editor} = await ide.connect({anyway: true, signal: either});
      if (state === 'connected') {
        this.log(`Connected to ${editor?.info.displayName ?? displayName}. Conversations connect to it from now on.`);
        return true;
      }
      await pause(BEGINNING.lookMs, undefined, {signal: either}).catch(() => undefined);
    }
    signal.throwIfAborted();
    return false;
  }
}

/** The editor with that name, or the one of this terminal. Throws KernelError IDE_UNKNOWN. */
function chooseEditor(name: string | undefined, detected: IdeInfo | undefined, known: readonly IdeInfo[]): IdeInfo {
  const names = known.map((one) => one.name);
  if (name === undefined) {
    if (detected) return detected;
    throw new KernelError('IDE_UNKNOWN', 'No editor is named, and this terminal does not belong to one.', {
      hint: `Name one: ${names.join(', ')}.`,
    });
  }
  const found =
    known.find((one) => one.name === name.toLowerCase()) ?? (detected?.name === name ? detected : undefined);
  if (found) return found;
  const near = findNearest(name, names);
  throw new KernelError('IDE_UNKNOWN', `The editor ${JSON.stringify(name)} is not known.`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}?`
        : `Known editors: ${names.join(', ')}. For others, see docs/write-a-companion.md.`,
  });
}
