import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionSource} from '../../contract.js';
import {ExtensionCommand} from '../../extension-command.js';
import type {Installed} from '../../store/install-extension.js';
import {repositoryOf} from '../../store/fetch-release.js';
import {installLocked, type InstalledFromLock} from '../../store/install-locked.js';
import {parseSource} from '../../store/parse-source.js';

export default class ExtensionsInstall extends ExtensionCommand {
  static override summary = 'Install an extension from a folder, an archive, npm or git.';
  static override description =
    'Shows everything that it brings, and asks. Its files are copied, and checked at each start against the digest ' +
    'that was agreed to. An extension of the same name is replaced.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-extension',
    '<%= config.bin %> <%= command.id %> ./my-extension.zip',
    '<%= config.bin %> <%= command.id %> npm:@example/extension@1.2.0',
    '<%= config.bin %> <%= command.id %> github:owner/repository --ref v1.2.0',
    '<%= config.bin %> <%= command.id %> https://example.com/extension.git --consent',
    '<%= config.bin %> <%= command.id %> --frozen',
  ];
  static override args = {
    source: Args.string({
      description: 'A folder, an archive, npm:<package>, an address that git can fetch, or github:owner/repository.',
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ref: Flags.string({description: 'The branch, tag or commit to install; of GitHub, the tag of a release first.'}),
    'pre-release': Flags.boolean({description: 'Take the newest release of GitHub, even if it is not final.'}),
    consent: Flags.boolean({description: 'Agree to what it brings without a question.'}),
    frozen: Flags.boolean({description: 'Install exactly what the lock names, and nothing else.'}),
    // Scripts for Gemini CLI give it.
    'skip-settings': Flags.boolean({description: 'Accepted; values are asked for by `config` only.', hidden: true}),
    'auto-update': Flags.boolean({
      description: 'Install later versions without a question, unless they bring something new.',
      allowNo: true,
    }),
  };

  async run(): Promise<Installed | {readonly extensions: readonly InstalledFromLock[]}> {
    const {args, flags} = await this.parse(ExtensionsInstall);
    if (flags.frozen && args.source === undefined) return this.#installLocked();
    if (flags.frozen || args.source === undefined)
      throw new KernelError('EXTENSION_INVALID', 'Name one source, or give --frozen and no source.', {
        hint: '`gemini extensions install --frozen` installs what the lock names.',
      });
    const asked = await parseSource(args.source, flags.ref, this.kernel.environment.cwd);
    const source = flags['pre-release'] ? ofPreRelease(asked) : asked;
    const autoUpdate = flags['auto-update'];
    if (autoUpdate && source.type !== 'git')
      throw new KernelError('EXTENSION_INVALID', '--auto-update is for sources that git fetches.');
    const installed = await this.install(source, {
      isAgreed: flags.consent,
      // Automatic updates follow the repository.
      isReleaseFirst: !autoUpdate,
      ...(autoUpdate === undefined ? {} : {autoUpdate}),
    });
    this.tellInstalled(installed);
    const wanted = installed.brings.settings.map(({name}) => name);
    if (wanted.length > 0 && !installed.isSame)
      this.logToStderr(`It needs ${wanted.join(', ')}: \`gemini extensions config ${installed.name}\`.`);
    return installed;
  }

  async #installLocked(): Promise<{readonly extensions: readonly InstalledFromLock[]}> {
    const extensions = await installLocked(await this.installing());
    for (const {name, version, isSame} of extensions)
      this.log(`${name} ${version} is installed${isSame ? ' already' : ''}.`);
    if (extensions.length === 0) this.log('The lock names no extension.');
    return {extensions};
  }
}

function ofPreRelease(source: ExtensionSource): ExtensionSource {
  if (source.type === 'git' && repositoryOf(source.location) !== undefined && source.ref === undefined)
    return {...source, type: 'github-release', preRelease: true};
  throw new KernelError('EXTENSION_INVALID', '--pre-release is for repositories of GitHub, without --ref.', {
    hint: 'Name one as github:owner/repository.',
  });
}
