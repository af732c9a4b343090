import {Flags, type Interfaces} from '@oclif/core';
import {KernelError} from '@gemini-kernel/kernel';
import {InstallCommand} from '../../install-command.js';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {RestoredPlugin} from '../../install/install-locked.js';
import type {InstalledPlugin} from '../../install/install-plugin.js';
import type {CommandParts} from '../../install/installer-of-command.js';
import type {ConsentMeans} from '../../install/judge/ask-consent.js';
import type {Installer} from '../../install/source/installer.js';

type Done = Pick<InstalledPlugin, 'name' | 'version' | 'before' | 'changed' | 'tooYoung'> | RestoredPlugin;

export default class PluginsInstall extends InstallCommand {
  static override summary = 'Install plugins, with proof of what they are.';
  static override description = [
    'A plugin is a name (with a range or a tag), an archive, a folder, an address or a repository. It is fetched ' +
      'once, held against the digest its registry names and the rules of the administrator, unpacked without ' +
      'running anything of it, and shown to you before it counts.',
    "Without a name: what the lock names is put in place, byte for byte. npm's own configuration says which " +
      'registries and tokens there are; GEMINI_NPM_REGISTRY names another registry.',
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
    yes: Flags.boolean({description: 'Say yes to what is shown.', default: false}),
    force: Flags.boolean({
      char: 'f',
      description: 'Take an older version, or a name that looks like another.',
      default: false,
    }),
    project: Flags.boolean({
      description: 'Put it into the lock of this project, for everybody who works on it.',
      default: false,
    }),
    system: Flags.boolean({description: 'Put it into the lock of this machine, as its administrator.', default: false}),
    frozen: Flags.boolean({description: 'Install nothing but what the lock names.', default: false}),
    registry: Flags.string({description: 'Registry to take it from, instead of the configured one.'}),
    verbose: Flags.boolean({char: 'v', description: 'Say what goes on, without a terminal too.', default: false}),
    silent: Flags.boolean({char: 's', description: 'Say less.', default: false, exclusive: ['verbose']}),
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
      log: (text) => this.log(text),
      logToStderr: (text) => this.logToStderr(text),
    };
    const installer = await installerOfCommand(parts, flags);
    const consent = consentOfCommand(parts, flags);
    const specs = argv as string[];
    if (flags.frozen && specs.length > 0)
      throw new KernelError('INSTALL_FROZEN', `${specs.join(' ')} cannot be added to a lock that is frozen.`, {
        hint: 'Leave --frozen away, or the names: gemini plugins install --frozen puts in place what the lock names.',
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
  return sayWhenSlow(installer.tell, 'Getting what the lock names …', (hush) =>
    installLocked(installer, hushing(consent, hush)),
  );
}

async function installEach(
  installer: Installer,
  specs: readonly string[],
  {consent, force}: {readonly consent: ConsentMeans; readonly force: boolean},
): Promise<readonly Done[]> {
  const [{installPlugin}, {parseSpec}, {sayWhenSlow}, {hushing}] = await Promise.all([
    import('../../install/install-plugin.js'),
    import('../../install/source/parse-spec.js'),
    import('../../install/say-when-slow.js'),
    import('../../install/judge/ask-consent.js'),
  ]);
  const done: Done[] = [];
  for (const spec of specs) {
    const wanted = parseSpec(spec, installer.environment.cwd);
    const {name, version, before, changed, tooYoung} = await sayWhenSlow(installer.tell, `Getting ${spec} …`, (hush) =>
      installPlugin(installer, {wanted, consent: hushing(consent, hush), force}),
    );
    done.push({name, version, changed, ...(before ? {before} : {}), ...(tooYoung ? {tooYoung} : {})});
  }
  return done;
}

function sentenceFor(done: Done): string {
  const {name, version, changed, before, tooYoung} = {before: undefined, tooYoung: undefined, ...done};
  const young = tooYoung ? ` (${tooYoung} is younger than the administrator wants)` : '';
  if (!changed) return `${name} ${version} is installed already${young}.`;
  return `Installed ${name} ${version}${before && before !== version ? ` in place of ${before}` : ''}${young}.`;
}
