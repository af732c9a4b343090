import {Flags} from '@oclif/core';
import {KernelError, type Form} from '@gemini-kernel/kernel';
import {InstallCommand} from '../../install-command.js';
import type {CommandParts} from '../../install/installer-of-command.js';
import {agreementForm, isAgreed} from '../../agreement.js';

export default class PluginsReset extends InstallCommand {
  static override summary = 'Uninstall every plugin that you installed or linked.';
  static override description =
    'Plugins of a bundle, and plugins that an administrator requires, stay. With --hard, their files and ' +
    'the kept states are deleted too, and you cannot roll back.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --hard --yes',
  ];
  static override flags = {
    hard: Flags.boolean({description: 'Also delete the files and the kept states.', default: false}),
    yes: Flags.boolean({description: 'Do not ask.', default: false}),
    reinstall: Flags.boolean({
      description: 'Install what the lock names again, and remove nothing.',
      default: false,
      exclusive: ['hard'],
    }),
  };

  async run(): Promise<{readonly removed: readonly string[]; readonly reinstalled: readonly string[]}> {
    const {flags} = await this.parse(PluginsReset);
    const [{installerOfCommand, consentOfCommand}, {resetPlugins, listResettable}, {mirrorForOclif}, {installLocked}] =
      await Promise.all([
        import('../../install/installer-of-command.js'),
        import('../../install/reset-plugins.js'),
        import('../../install/report/mirror-for-oclif.js'),
        import('../../install/install-locked.js'),
      ]);
    const parts: CommandParts = {
      environment: await this.surroundings(),
      host: this.host,
      isJson: this.jsonEnabled(),
      ask: (form) => this.ask(form),
      log: (text) => this.log(text),
      logToStderr: (text) => this.logToStderr(text),
    };
    const installer = await installerOfCommand(parts, {});
    const consent = consentOfCommand(parts, flags);
    if (flags.reinstall) {
      const reinstalled = (await installLocked(installer, consent))
        .filter(({changed}) => changed)
        .map(({name}) => name);
      this.log(reinstalled.length > 0 ? `Reinstalled ${reinstalled.join(', ')}.` : 'Every file is in its place.');
      return {removed: [], reinstalled};
    }
    const names = await listResettable(installer);
    if (names.length === 0 || flags.yes || !consent.ask) this.log(sayInstalled(names));
    const isConfirmed =
      names.length === 0 ||
      flags.yes ||
      isAgreed((await consent.ask?.(resetForm(names, flags.hard))) ?? {outcome: 'nobody'});
    if (!isConfirmed) {
      throw new KernelError('INSTALL_UNCONFIRMED', 'Nothing was uninstalled, because you did not confirm it.', {
        hint: 'Confirm at a terminal, or use --yes.',
      });
    }
    const removed = await resetPlugins(installer, {names, hard: flags.hard});
    await mirrorForOclif(installer, this.config.dataDir);
    if (removed.length > 0) this.log(`Uninstalled ${removed.join(', ')}.`);
    return {removed, reinstalled: []};
  }
}

function sayInstalled(names: readonly string[]): string {
  return names.length === 0 ? 'No plugins are installed.' : `Installed: ${names.join(', ')}.`;
}

function resetForm(names: readonly string[], isHard: boolean): Form {
  return agreementForm({
    title: sayInstalled(names),
    ...(isHard ? {text: 'The files and the kept states are deleted too. You cannot roll back.'} : {}),
    about: {kind: 'reset', names},
    label: `Uninstall ${names.length === 1 ? 'it' : `all ${names.length}`}?`,
  });
}
