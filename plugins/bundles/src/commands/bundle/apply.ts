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
  static override summary = 'Apply a bundle: its plugins, policies and settings, all at once or not at all.';
  static override description =
    "Checks the signature, kernel version, expiry, serial, administrator's rules and every byte before " +
    'anything changes. With --from, takes everything from an exported archive, without a network. With ' +
    '--system, applies the bundle and its rules to all users of this machine; this needs administrator ' +
    'rights.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --from corp-3.gemini-bundle',
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json --key corp-2026=MCowBQYDK2VwAyEA...',
    'sudo <%= config.bin %> <%= command.id %> --from corp-3.gemini-bundle --system --yes',
  ];
  static override args = {bundle: Args.string({description: 'Lock of the bundle, or its folder.', ignoreStdin: true})};
  static override flags = {
    from: Flags.string({description: 'Archive that gemini bundle export wrote.', exclusive: ['bundle']}),
    key: Flags.string({
      description: 'Public key to trust from now on, as NAME=BASE64.',
      multiple: true,
      default: [],
    }),
    system: Flags.boolean({description: 'Apply it for all users of this machine.', default: false}),
    yes: Flags.boolean({
      description: 'Agree to what the bundle brings. Does not trust an unknown key.',
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
        `${scope.name === 'system' ? 'for all users' : 'for you'}.`,
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
        `The bundle ${name} was not applied, because there is no terminal to ask for your consent.`,
        {hint: 'Check it with `gemini bundle verify`, then apply it with --yes or at a terminal.'},
      );
    return true;
  }
}

/** What the bundle brings, and whether to apply it. */
function applyForm(name: string, [title = name, ...lines]: readonly string[]): Form {
  return agreementForm({title, text: lines.join('\n'), about: {kind: 'bundle', name}, label: `Apply ${name}?`});
}

/** Opens the bundle that was named. Throws KernelError BUNDLE_UNREADABLE unless exactly one was. */
async function openWanted(
  cwd: string,
  {named, from}: {readonly named: string | undefined; readonly from: string | undefined},
): Promise<OpenBundle> {
  const place = from ?? named;
  if (place === undefined || (from !== undefined && named !== undefined))
    throw new KernelError(
      'BUNDLE_UNREADABLE',
      'Name exactly one bundle: a lock, its folder, or an archive with --from.',
      {
        hint: 'gemini bundle apply --from corp-3.gemini-bundle',
      },
    );
  const {openBundle} = await import('../../bundle/open-bundle.js');
  const bundle = await openBundle(resolve(cwd, place));
  if (from !== undefined && bundle.kind !== 'archive')
    throw new KernelError('BUNDLE_UNREADABLE', `${from} is not an archive that gemini bundle export wrote.`, {
      hint: 'To apply a lock, omit --from.',
    });
  return bundle;
}
