import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {KeptLock} from '../../install/commit/list-kept-locks.js';
import type {Rollback} from '../../install/roll-back.js';

export default class PluginsRollback extends InstallCommand {
  static override summary = 'Restore the plugins as they were before the last change.';
  static override description =
    "The last ten states are kept with their files. The files are hashed and the administrator's rules " +
    'checked before anything changes. With a name, only that plugin is rolled back.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
    '<%= config.bin %> <%= command.id %> --list',
  ];
  static override args = {plugin: Args.string({description: 'Roll back only this plugin.', ignoreStdin: true})};
  static override flags = {
    to: Flags.integer({description: 'Number of the state to restore.', min: 0}),
    list: Flags.boolean({description: 'Only list the kept states.', default: false}),
    project: Flags.boolean({description: 'Roll back the lock of this project.', default: false}),
    system: Flags.boolean({description: 'Roll back the lock of this machine, as its administrator.', default: false}),
  };

  async run(): Promise<Rollback | {readonly kept: readonly KeptLock[]}> {
    const {args, flags} = await this.parse(PluginsRollback);
    const [{installerOfCommand}, {rollBack}, {listKeptLocks}, {mirrorForOclif}] = await Promise.all([
      import('../../install/installer-of-command.js'),
      import('../../install/roll-back.js'),
      import('../../install/commit/list-kept-locks.js'),
      import('../../install/report/mirror-for-oclif.js'),
    ]);
    const installer = await installerOfCommand(
      {environment: await this.surroundings(), host: this.host, logToStderr: (text) => this.logToStderr(text)},
      flags,
    );
    if (flags.list) {
      const kept = await listKeptLocks(installer);
      if (kept.length === 0) this.log('No earlier state is kept.');
      for (const {serial, plugins} of kept)
        this.log(
          `${String(serial).padStart(4)}  ` +
            `${plugins.map(({name, version}) => `${name} ${version}`).join(', ') || 'no plugins'}`,
        );
      return {kept};
    }
    const done = await rollBack(installer, {name: args.plugin, to: flags.to});
    if (installer.scope === 'user') await mirrorForOclif(installer, this.config.dataDir);
    this.log(`Restored state ${done.from}:`);
    for (const {name, before, after} of done.changes)
      this.log(`  ${name}: ${before ?? 'not installed'} -> ${after ?? 'not installed'}`);
    return done;
  }
}
