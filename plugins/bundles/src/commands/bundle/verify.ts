import {resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {InstallCommand} from '../../install-command.js';
import type {BundleFinding} from '../../bundle/examine-bundle.js';

interface Verified {
  readonly name: string;
  readonly serial: number;
  readonly ok: boolean;
  readonly findings: readonly BundleFinding[];
}

export default class BundleVerify extends InstallCommand {
  static override summary = 'Check a bundle without applying it.';
  static override description =
    "Checks the signature, kernel version, expiry, serial, administrator's rules, policies and archives. " +
    'Exits with 1 when a check fails.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp-3.gemini-bundle',
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json --key corp-2026=MCowBQYDK2VwAyEA...',
  ];
  static override args = {
    bundle: Args.string({
      description: 'A lock, its folder, or an exported archive.',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    key: Flags.string({description: 'Public key to trust, as NAME=BASE64.', multiple: true, default: []}),
    system: Flags.boolean({description: 'Compare it with what is applied for all users.', default: false}),
  };

  async run(): Promise<Verified> {
    const {args, flags} = await this.parse(BundleVerify);
    const environment = await this.surroundings();
    const [{openBundle}, {verifyBundle}, {parseKeys}, {oneLine}] = await Promise.all([
      import('../../bundle/open-bundle.js'),
      import('../../bundle/verify-bundle.js'),
      import('../../bundle/signing-key.js'),
      import('../../one-line.js'),
    ]);
    const bundle = await openBundle(resolve(environment.cwd, args.bundle));
    const findings = await verifyBundle(bundle, environment, {
      given: parseKeys(flags.key),
      scope: flags.system ? 'system' : 'user',
    });
    const {name, serial} = bundle.lock;
    const ok = findings.every(({code}) => code === undefined);
    this.log(`${name}, serial ${serial}: ${Object.keys(bundle.lock.plugins.installed).length} plugins from elsewhere`);
    for (const {subject, text, code} of findings)
      this.log(`${code ? this.style('bad', '✗') : this.style('good', '✓')} ${subject.padEnd(9)} ${oneLine(text)}`);
    if (!ok) this.host.end(1);
    return {name, serial, ok, findings};
  }
}
