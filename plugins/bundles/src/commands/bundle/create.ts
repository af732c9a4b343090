import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {CreatedBundle} from '../../bundle/create-bundle.js';

export default class BundleCreate extends InstallCommand {
  static override summary = 'Create a bundle: a folder with its file, a policy and a README.';
  static override description =
    'A bundle lists the plugins, policies and settings that a team uses. With --from-installed, it lists ' +
    'your installed plugins with their exact versions.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp',
    '<%= config.bin %> <%= command.id %> corp --directory tools/corp --from-installed',
  ];
  static override args = {
    name: Args.string({
      description: 'Name of the bundle: lowercase letters, digits and hyphens.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    directory: Flags.string({description: 'Folder to create. Default: one with the name of the bundle.'}),
    'from-installed': Flags.boolean({description: 'List the plugins that are installed for you now.', default: false}),
  };

  async run(): Promise<CreatedBundle> {
    const {args, flags} = await this.parse(BundleCreate);
    const environment = await this.surroundings();
    const {createBundle} = await import('../../bundle/create-bundle.js');
    const {readInstalled} = await import('../../bundle/read-installed.js');
    const lock = flags['from-installed'] ? await readInstalled(environment.installs.user.lock) : undefined;
    const created = await createBundle(resolve(environment.cwd, flags.directory ?? args.name), args.name, lock);
    const place = relative(environment.cwd, created.directory) || '.';
    this.log(`Created ${created.files.join(', ')} ${place === '.' ? 'here' : `in ${place}`}.`);
    for (const one of created.left) this.log(`${this.style('warn', 'Left out')} ${one}`);
    this.log(`Next: gemini bundle lock ${place === '.' ? '' : `${place}/`}${args.name}.bundle.json`);
    return created;
  }
}
