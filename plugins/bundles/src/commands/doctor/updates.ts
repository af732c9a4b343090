import {KernelCommand} from '@gemini-kernel/command';

interface Updates {
  readonly name: string;
  readonly version: string;
  /** Null: there is no newer one, or this program does not come from npm. */
  readonly newer: string | null;
}

/** Asks npm for a newer version of this program. */
export default class DoctorUpdates extends KernelCommand {
  static override summary = 'Ask npm whether there is a newer version of this program.';
  static override description =
    'Asks the registry of your npm configuration; the one of a project does not count. Nothing is installed. A ' +
    'conversation asks once a day and shows a notice, unless general.enableAutoUpdateNotification is false.';
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json'];

  async run(): Promise<Updates> {
    await this.parse(DoctorUpdates);
    const {name, version, pjson} = this.config;
    if ((pjson as {private?: unknown}).private === true) {
      this.log(`This is ${version} of a checkout, which is updated with git.`);
      return {name, version, newer: null};
    }
    const [{readNpmOptions}, {findNewer}] = await Promise.all([
      import('../../install/source/read-npm-options.js'),
      import('../../install/find-newer.js'),
    ]);
    const {environment} = this.kernel;
    const options = await readNpmOptions({environment, project: undefined, registry: undefined});
    const newer = await findNewer({name, version, options, signal: this.host.signal});
    if (newer === undefined) this.log(`${version} is the newest version.`);
    else this.log(`${newer} is available; this is ${version}. To install it: npm install --global ${name}@${newer}`);
    return {name, version, newer: newer ?? null};
  }
}
