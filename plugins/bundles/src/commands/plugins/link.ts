import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {CommandParts} from '../../install/installer-of-command.js';

export default class PluginsLink extends InstallCommand {
  static override summary = 'Load a plugin from its development folder.';
  static override description =
    'Builds nothing and does not run npm: prepare the folder with `gemini plugins build`. `gemini ' +
    'plugins unlink` removes the link. With --watch, the plugin is built now and each time its sources ' +
    'change; open conversations continue with the new build.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ../my-plugin',
    {description: 'While you develop it', command: '<%= config.bin %> <%= command.id %> ../my-plugin --watch'},
  ];
  static override args = {path: Args.string({description: 'Folder of the plugin.', default: '.', ignoreStdin: true})};
  static override flags = {
    yes: Flags.boolean({description: 'Agree to what is shown.', default: false}),
    force: Flags.boolean({char: 'f', description: 'Accept a name that looks like another.', default: false}),
    watch: Flags.boolean({
      description: 'Build it now and each time its sources change, until Ctrl+C; the link stays.',
      default: false,
    }),
    isolated: Flags.boolean({
      description: 'Run it in a process of its own, confined to what it declares, as installed plugins can be.',
      default: false,
    }),
    frozen: Flags.boolean({description: 'Refuse: nothing pins the content of a link.', default: false}),
    install: Flags.boolean({
      description: 'Accepted for compatibility; npm never runs here.',
      default: false,
      allowNo: true,
      hidden: true,
    }),
    verbose: Flags.boolean({char: 'v', description: 'Show progress, even without a terminal.', default: false}),
  };

  async run(): Promise<{readonly name: string; readonly version: string; readonly root: string}> {
    const {args, flags} = await this.parse(PluginsLink);
    const [{installerOfCommand, consentOfCommand}, {linkPlugin}, {mirrorForOclif}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/link-plugin.js'),
      import('../../install/report/mirror-for-oclif.js'),
    ]);
    const parts: CommandParts = {
      environment: await this.surroundings(),
      host: this.host,
      isJson: this.jsonEnabled(),
      ask: (form) => this.ask(form),
      tierOf: async () => (flags.isolated ? 'required' : 'off'),
      log: (text) => this.log(text),
      logToStderr: (text) => this.logToStderr(text),
    };
    const building = flags.watch ? await import('../../watch/link-and-watch.js') : undefined;
    await building?.prepareUnbuilt(parts.environment, args.path, this.host.run);
    const installer = await installerOfCommand(parts, flags);
    const {name, version, locked} = await linkPlugin(installer, args.path, {
      consent: consentOfCommand(parts, flags),
      frozen: flags.frozen,
      isolated: flags.isolated,
    });
    await mirrorForOclif(installer, this.config.dataDir);
    const root = locked.source.type === 'link' ? locked.source.location : '';
    const where = flags.isolated ? ', to run in a process of its own' : '';
    this.log(`Linked ${name} ${version} from ${root}${where}.`);
    if (parts.environment.interactive && building)
      this.logToStderr('Builds it each time its sources change. Press Ctrl+C to stop; the link stays.');
    await building?.watchLinked(
      {name, root},
      {...parts, host: this.host, style: (style, text) => this.style(style, text)},
    );
    return {name, version, root};
  }
}
