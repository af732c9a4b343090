import {dirname, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {KernelCommand} from '@gemini-kernel/command';
import type {BundleProposal} from '../../bundle/apply-bundle.js';

interface Applied {
  readonly name: string;
  readonly serial: number;
  readonly scope: 'user' | 'system';
  readonly signers: readonly string[];
  readonly plugins: readonly string[];
}

export default class BundleApply extends KernelCommand {
  static override summary = 'Bring a bundle into force: its plugins, policies and settings, all at once or not at all.';
  static override description =
    'Checks the signature, the kernel, the expiry, the serial, the rules of the administrator and every byte ' +
    'before anything counts. With --from everything is taken out of an exported archive, without a network. With ' +
    '--system it holds for everybody on this machine, and its rules with it; that takes an administrator.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from corp-3.gemini-bundle',
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json --key corp-2026=MCowBQYDK2VwAyEA...',
    'sudo <%= config.bin %> <%= command.id %> --from corp-3.gemini-bundle --system --yes',
  ];
  static override args = {bundle: Args.string({description: 'A lock, or its folder.', ignoreStdin: true})};
  static override flags = {
    from: Flags.string({description: 'An archive that gemini bundle export wrote.', exclusive: ['bundle']}),
    key: Flags.string({
      description: 'A public key that counts from now on, as NAME=BASE64.',
      multiple: true,
      default: [],
    }),
    system: Flags.boolean({description: 'For everybody on this machine.', default: false}),
    yes: Flags.boolean({
      description: 'Agree to what it brings. A key that nobody knows is not agreed to by it.',
      default: false,
    }),
  };

  async run(): Promise<Applied> {
    const {args, flags} = await this.parse(BundleApply);
    const place = flags.from ?? args.bundle;
    if (place === undefined || (flags.from !== undefined && args.bundle !== undefined))
      throw new KernelError(
        'BUNDLE_UNREADABLE',
        'One bundle is needed: a lock, its folder, or --from with an archive.',
        {hint: 'gemini bundle apply --from corp-3.gemini-bundle'},
      );
    const {environment} = this.kernel;
    const [
      {openBundle},
      {openScope},
      {settleKeys},
      {parseKeys},
      {applyBundle},
      {openInstaller},
      {takeArchive},
      {archiveSupply},
    ] = await Promise.all([
      import('../../bundle/open-bundle.js'),
      import('../../bundle/bundle-scope.js'),
      import('../../bundle/settle-keys.js'),
      import('../../bundle/signing-key.js'),
      import('../../bundle/apply-bundle.js'),
      import('../../install/source/open-installer.js'),
      import('../../bundle/locked-archives.js'),
      import('../../bundle/archive-supply.js'),
    ]);
    const bundle = await openBundle(resolve(environment.cwd, place));
    if (flags.from !== undefined && bundle.kind !== 'archive')
      throw new KernelError('BUNDLE_UNREADABLE', `${flags.from} is no archive that gemini bundle export wrote.`, {
        hint: 'Leave --from away to apply a lock.',
      });
    const scope = await openScope(environment, flags.system ? 'system' : 'user');
    const ask = async (question: string): Promise<boolean> =>
      /^y(es)?$/i.test(((environment.interactive ? await this.host.ask(question) : undefined) ?? '').trim());
    const keys = await settleKeys(bundle, {
      managed: scope.managed,
      memory: scope.memory,
      given: parseKeys(flags.key),
      ask,
    });
    const tell = (sentence: string): void => void (environment.interactive && this.logToStderr(sentence));
    const installer = await openInstaller({
      environment,
      catalog: this.host.catalog,
      hostCommands: this.host.hostCommands,
      signal: this.host.signal,
      scope: scope.name,
      tell,
    });
    const supply =
      bundle.kind === 'archive'
        ? undefined
        : archiveSupply(environment, dirname(bundle.file ?? bundle.place), this.host.signal);
    const agree = async (proposal: BundleProposal): Promise<boolean> => this.#agree(proposal, flags.yes, ask);
    const {signers, serial} = await applyBundle({
      bundle,
      scope,
      installer,
      keys,
      agree,
      take: (archive) => takeArchive(archive, bundle, supply),
    });
    const {name, plugins} = bundle.lock;
    this.log(
      `${this.style('good', 'Applied')} ${name}, serial ${serial}, ` +
        `${scope.name === 'system' ? 'for everybody' : 'for you'}.`,
    );
    return {
      name,
      serial,
      scope: scope.name,
      signers,
      plugins: Object.entries(plugins.installed).map(([plugin, {version}]) => `${plugin}@${version}`),
    };
  }

  async #agree(proposal: BundleProposal, yes: boolean, ask: (question: string) => Promise<boolean>): Promise<boolean> {
    const {proposalReport} = await import('../../bundle/proposal-report.js');
    const {name} = proposal.bundle.lock;
    for (const line of proposalReport(proposal, (style, text) => this.style(style, text))) this.log(line);
    if (yes) return true;
    if (!this.kernel.environment.interactive)
      throw new KernelError(
        'BUNDLE_UNCONFIRMED',
        `The bundle ${name} was not applied, because nobody is here to say yes to it.`,
        {hint: 'Look at it with gemini bundle verify, then apply it with --yes, or at a terminal.'},
      );
    return ask(`Apply ${name}? [y/N] `);
  }
}
