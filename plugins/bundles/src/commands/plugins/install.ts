import {Flags, type Interfaces} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {InstallCommand} from '../../install-command.js';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {RestoredPlugin} from '../../install/install-locked.js';
import type {InstalledPlugin} from '../../install/install-plugin.js';
import type {CommandParts} from '../../install/installer-of-command.js';
import type {ConsentMeans} from '../../install/judge/ask-consent.js';
import type {ExplainedCapability} from '../../install/judge/explain-capability.js';
import type {Installer} from '../../install/source/installer.js';

/** `capabilities`: what it may do now, in words. */
type Done = (
  Pick<InstalledPlugin, 'name' | 'version' | 'before' | 'changed' | 'tooYoung'> | Omit<RestoredPlugin, 'locked'>
) & {
  readonly capabilities: readonly ExplainedCapability[];
};

export default class PluginsInstall extends InstallCommand {
  static override summary = 'Install plugins and verify what they are.';
  static override description = [
    'A plugin can be a name (with a range or a tag), an archive, a folder, an address or a repository. ' +
      "It is fetched once, checked against the digest in its registry and the administrator's rules, " +
      'unpacked without running any of its code, and shown to you before it can load.',
    "Without a name, installs exactly the plugins in the lock. Registries and tokens come from npm's own " +
      'configuration; GEMINI_NPM_REGISTRY names another registry.',
  ].join('\n\n');
  static override examples = [
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello',
    '<%= config.bin %> <%= command.id %> @acme/plugin-hello@^1.2 --project',
    '<%= config.bin %> <%= command.id %> ./plugin-hello-1.0.0.tgz --yes',
    '<%= config.bin %> <%= command.id %> git+ssh://git@git.example.com/acme/plugin-hello.git',
    '<%= config.bin %> <%= command.id %> --project --frozen',
  ];
  static override aliases = ['plugins:add'];
  static override strict = false;
  static override usage = 'plugins install [PLUGIN...]';
  static override flags = {
    yes: Flags.boolean({description: 'Agree to what is shown.', default: false}),
    force: Flags.boolean({
      char: 'f',
      description: 'Accept an older version, or a name that looks like another.',
      default: false,
    }),
    project: Flags.boolean({
      description: 'Use the lock of this project, for everyone who works on it.',
      default: false,
    }),
    system: Flags.boolean({description: 'Use the lock of this machine, as its administrator.', default: false}),
    frozen: Flags.boolean({description: 'Install only what the lock names.', default: false}),
    registry: Flags.string({description: 'Registry to use instead of the configured one.'}),
    verbose: Flags.boolean({char: 'v', description: 'Show progress, even without a terminal.', default: false}),
    silent: Flags.boolean({char: 's', description: 'Print less.', default: false, exclusive: ['verbose']}),
    jit: Flags.boolean({hidden: true, default: false}),
  } satisfies Interfaces.FlagInput;

  async run(): Promise<{readonly plugins: readonly Done[]}> {
    const {argv, flags} = await this.parse(PluginsInstall);
    const {installerOfCommand, consentOfCommand} = await import('../../install/installer-of-command.js');
    const parts: CommandParts = {
      environment: await this.surroundings(),
      host: this.host,
      isJson: this.jsonEnabled(),
      isTrusted:
        flags.project &&
        this.host.catalog.services.has('trust') &&
        (await (await this.service('trust')).state()).trusted,
      ask: (form) => this.ask(form),
      tierOf: (plugin) => this.tierOf(plugin),
      log: (text) => this.log(text),
      logToStderr: (text) => this.logToStderr(text),
    };
    const installer = await installerOfCommand(parts, flags);
    const consent = consentOfCommand(parts, flags);
    const specs = argv as string[];
    if (flags.frozen && specs.length > 0)
      throw new KernelError('INSTALL_FROZEN', `${specs.join(' ')} cannot be added to a frozen lock.`, {
        hint: 'Omit --frozen, or omit the names: `gemini plugins install --frozen` installs what the lock names.',
      });
    const done =
      specs.length === 0
        ? await putBack(installer, consent)
        : await installEach(installer, specs, {consent, force: flags.force});
    if (installer.scope === 'user')
      await (await import('../../install/report/mirror-for-oclif.js')).mirrorForOclif(installer, this.config.dataDir);
    for (const one of done) if (!flags.silent) this.log(sentenceFor(one));
    return {plugins: done};
  }
}

async function putBack(installer: Installer, consent: ConsentMeans): Promise<readonly Done[]> {
  const [{installLocked}, {sayWhenSlow}, {hushing}] = await Promise.all([
    import('../../install/install-locked.js'),
    import('../../install/say-when-slow.js'),
    import('../../install/judge/ask-consent.js'),
  ]);
  const {explainCapability} = await import('../../install/judge/explain-capability.js');
  const restored = await sayWhenSlow(installer.tell, 'Getting the plugins in the lock …', (hush) =>
    installLocked(installer, hushing(consent, hush)),
  );
  return restored.map(({locked, ...one}) => ({...one, capabilities: locked.capabilities.map(explainCapability)}));
}

async function installEach(
  installer: Installer,
  specs: readonly string[],
  {consent, force}: {readonly consent: ConsentMeans; readonly force: boolean},
): Promise<readonly Done[]> {
  const [{installPlugin}, {explainCapability}, {parseSpec}, {sayWhenSlow}, {hushing}] = await Promise.all([
    import('../../install/install-plugin.js'),
    import('../../install/judge/explain-capability.js'),
    import('../../install/source/parse-spec.js'),
    import('../../install/say-when-slow.js'),
    import('../../install/judge/ask-consent.js'),
  ]);
  const done: Done[] = [];
  for (const spec of specs) {
    const wanted = parseSpec(spec, installer.environment.cwd);
    const installed = await sayWhenSlow(installer.tell, `Getting ${spec} …`, (hush) =>
      installPlugin(installer, {wanted, consent: hushing(consent, hush), force}),
    );
    const {locked, ...one} = installed;
    done.push({...one, capabilities: locked.capabilities.map(explainCapability)});
  }
  return done;
}

function sentenceFor(done: Done): string {
  const {name, version, changed, before, tooYoung} = {before: undefined, tooYoung: undefined, ...done};
  const young = tooYoung ? ` (${tooYoung} is newer than the administrator allows)` : '';
  if (!changed) return `${name} ${version} is already installed${young}.`;
  return `Installed ${name} ${version}${before && before !== version ? `, replacing ${before}` : ''}${young}.`;
}
