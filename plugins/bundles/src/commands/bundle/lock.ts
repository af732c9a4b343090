import {join, relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {BundleLock} from '../../bundle/bundle-lock.js';

interface Locked {
  readonly file: string;
  readonly name: string;
  readonly serial: number;
  readonly changed: boolean;
  readonly plugins: BundleLock['plugins'];
}

export default class BundleLocker extends InstallCommand {
  static override summary = 'Lock a bundle: pin every plugin to a version and its bytes, every policy to its content.';
  static override description =
    'Checks the bundle against its schema, checks its policies and settings, and checks that its rules ' +
    'allow its own plugins. Plugins that are already locked and still match keep their versions; ' +
    '--update looks for newer ones. --check changes nothing and fails when the lock is not up to date. ' +
    'The same bundle gives the same lock.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp.bundle.json',
    '<%= config.bin %> <%= command.id %> corp.bundle.json --update',
    '<%= config.bin %> <%= command.id %> corp.bundle.json --check',
  ];
  static override args = {bundle: Args.string({description: 'File of the bundle.', required: true, ignoreStdin: true})};
  static override flags = {
    check: Flags.boolean({description: 'Only check whether the lock is up to date.', default: false}),
    update: Flags.boolean({
      description: 'Look for newer versions of plugins that are already locked.',
      default: false,
      exclusive: ['check'],
    }),
    registry: Flags.string({description: 'Registry to use instead of the configured one.'}),
  };

  async run(): Promise<Locked> {
    const {args, flags} = await this.parse(BundleLocker);
    const environment = await this.surroundings();
    const [{readBundle}, {checkUpToDate, writeLock}, {openBundleInstaller}] = await Promise.all([
      import('../../bundle/read-bundle.js'),
      import('../../bundle/write-lock.js'),
      import('../../bundle/bundle-installer.js'),
    ]);
    const hasSettings = this.host.catalog.services.has('settings');
    const known = hasSettings ? {known: await (await this.service('settings')).schema()} : {};
    const written = {...(await readBundle(resolve(environment.cwd, args.bundle))), ...known};
    if (flags.check) {
      const {file, lock} = await checkUpToDate(written);
      this.log(`${relative(environment.cwd, file)} is up to date.`);
      return {file, name: lock.name, serial: lock.serial, changed: false, plugins: lock.plugins};
    }
    const opened = await openBundleInstaller(
      {environment, host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {scope: 'user', registry: flags.registry},
    );
    const installer = {
      ...opened,
      store: join(environment.cacheDir, `bundle-${environment.newId()}`),
      present: opened.present.filter(({origin}) => origin === 'core'),
    };
    const {file, lock, changed} = await writeLock(written, {installer, environment, update: flags.update});
    for (const [name, {version, capabilities, source}] of Object.entries(lock.plugins.installed))
      this.log(
        `${name} ${version} ${this.style('dim', `${source.type}, ${capabilities.join(' ') || 'uses nothing'}`)}`,
      );
    this.log(
      `${changed ? 'Wrote' : 'Nothing changed in'} ${relative(environment.cwd, file)}: ${lock.name}, serial ` +
        `${lock.serial}.`,
    );
    return {file, name: lock.name, serial: lock.serial, changed, plugins: lock.plugins};
  }
}
