import {Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {CommandParts} from '../../install/installer-of-command.js';
import type {UpdatedPlugin} from '../../install/update-plugins.js';

export default class PluginsUpdate extends InstallCommand {
  static override summary = 'Update plugins within the ranges they were installed with.';
  static override description =
    'A plugin that was installed as ^1.2 stays below 2; one that was installed as 1.2.3 stays there. ' +
    'Each plugin is updated completely or not at all. You are asked first if an update wants more ' +
    'capabilities, comes from elsewhere or has another signer.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --check',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
  ];
  static override strict = false;
  static override usage = 'plugins update [PLUGIN...]';
  static override flags = {
    check: Flags.boolean({description: 'Only show available updates.', default: false}),
    yes: Flags.boolean({description: 'Agree to what is shown.', default: false}),
    force: Flags.boolean({char: 'f', description: 'Follow a tag to an older version.', default: false}),
    project: Flags.boolean({description: 'Use the lock of this project.', default: false}),
    system: Flags.boolean({description: 'Use the lock of this machine, as its administrator.', default: false}),
    verbose: Flags.boolean({char: 'v', description: 'Show progress, even without a terminal.', default: false}),
  };

  async run(): Promise<{readonly plugins: readonly UpdatedPlugin[]}> {
    const {argv, flags} = await this.parse(PluginsUpdate);
    const [
      {installerOfCommand, consentOfCommand},
      {updatePlugins},
      {updateLines},
      {sayWhenSlow},
      {mirrorForOclif},
      {hushing},
    ] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/update-plugins.js'),
      import('../../install/update-lines.js'),
      import('../../install/say-when-slow.js'),
      import('../../install/report/mirror-for-oclif.js'),
      import('../../install/judge/ask-consent.js'),
    ]);
    const parts: CommandParts = {
      environment: await this.surroundings(),
      host: this.host,
      isJson: this.jsonEnabled(),
      ask: (form) => this.ask(form),
      tierOf: (plugin) => this.tierOf(plugin),
      log: (text) => this.log(text),
      logToStderr: (text) => this.logToStderr(text),
    };
    const installer = await installerOfCommand(parts, flags);
    const {check, force} = flags;
    const plugins = await sayWhenSlow(installer.tell, 'Looking for newer versions …', (hush) =>
      updatePlugins(installer, {
        names: argv as string[],
        consent: hushing(consentOfCommand(parts, flags), hush),
        check,
        force,
      }),
    );
    if (installer.scope === 'user' && !check) await mirrorForOclif(installer, this.config.dataDir);
    for (const line of updateLines(plugins)) this.log(line);
    if (plugins.some(({state}) => state === 'failed')) this.host.end(1);
    return {plugins};
  }
}
