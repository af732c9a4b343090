import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelError, type Form, type FormAnswer} from '@gemini-kernel/kernel';
import {InstallCommand} from '../../install-command.js';
import type {BundleProposal} from '../../bundle/apply-bundle.js';
import type {BundleScope} from '../../bundle/bundle-scope.js';
import type {OpenBundle} from '../../bundle/open-bundle.js';
import type {SettledKeys} from '../../bundle/settle-keys.js';
import {agreementForm, isAgreed} from '../../agreement.js';

interface Applied {
  readonly name: string;
  readonly serial: number;
  readonly scope: 'user' | 'system';
  readonly signers: readonly string[];
  readonly plugins: readonly string[];
}

export default class BundleApply extends InstallCommand {
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
    const environment = await this.surroundings();
    const bundle = await openWanted(environment.cwd, {named: args.bundle, from: flags.from});
    const [{openScope}, {applyBundle}, {openBundleInstaller}, {takeArchive}, {supplyOf}] = await Promise.all([
      import('../../bundle/bundle-scope.js'),
      import('../../bundle/apply-bundle.js'),
      import('../../bundle/bundle-installer.js'),
      import('../../bundle/locked-archives.js'),
      import('../../bundle/archive-supply.js'),
    ]);
    const scope = await openScope(environment, flags.system ? 'system' : 'user');
    const keys = await this.#settle(bundle, scope, flags.key);
    const installer = await openBundleInstaller(
      {environment, host: this.host, logToStderr: (text) => this.logToStderr(text)},
      {scope: scope.name},
    );
    const supply = supplyOf(bundle, environment, this.host.signal);
    const {signers, serial} = await applyBundle({
      bundle,
      scope,
      installer,
      keys,
      agree: (proposal) => this.#agree(proposal, flags.yes),
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

  async #settle(bundle: OpenBundle, {managed, memory}: BundleScope, given: readonly string[]): Promise<SettledKeys> {
    const [{settleKeys}, {parseKeys}] = await Promise.all([
      import('../../bundle/settle-keys.js'),
      import('../../bundle/signing-key.js'),
    ]);
    return settleKeys(bundle, {
      managed,
      memory,
      given: parseKeys(given),
      ask: async (form) => isAgreed(await this.ask(form)),
    });
  }

  async #agree(proposal: BundleProposal, yes: boolean): Promise<boolean> {
    const {proposalReport} = await import('../../bundle/proposal-report.js');
    const {name} = proposal.bundle.lock;
    const lines = proposalReport(proposal, (style, text) => this.style(style, text));
    const answer: FormAnswer = yes ? {outcome: 'nobody'} : await this.ask(applyForm(name, lines));
    if (answer.outcome !== 'nobody') return isAgreed(answer);
    for (const line of lines) this.log(line);
    if (!yes)
      throw new KernelError(
        'BUNDLE_UNCONFIRMED',
        `The bundle ${name} was not applied, because nobody is here to say yes to it.`,
        {hint: 'Look at it with gemini bundle verify, then apply it with --yes, or at a terminal.'},
      );
    return true;
  }
}

/** What the bundle brings, and whether it may. */
function applyForm(name: string, [title = name, ...lines]: readonly string[]): Form {
  return agreementForm({title, text: lines.join('\n'), about: {kind: 'bundle', name}, label: `Apply ${name}?`});
}

/** Opens the one bundle that was named. Throws KernelError BUNDLE_UNREADABLE. */
async function openWanted(
  cwd: string,
  {named, from}: {readonly named: string | undefined; readonly from: string | undefined},
): Promise<OpenBundle> {
  const place = from ?? named;
  if (place === undefined || (from !== undefined && named !== undefined))
    throw new KernelError('BUNDLE_UNREADABLE', 'One bundle is needed: a lock, its folder, or --from with an archive.', {
      hint: 'gemini bundle apply --from corp-3.gemini-bundle',
    });
  const {openBundle} = await import('../../bundle/open-bundle.js');
  const bundle = await openBundle(resolve(cwd, place));
  if (from !== undefined && bundle.kind !== 'archive')
    throw new KernelError('BUNDLE_UNREADABLE', `${from} is no archive that gemini bundle export wrote.`, {
      hint: 'Leave --from away to apply a lock.',
    });
  return bundle;
}
