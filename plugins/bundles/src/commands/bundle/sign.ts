import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {SignedLock} from '../../bundle/sign-lock.js';

export default class BundleSign extends KernelCommand {
  static override summary = 'Sign the lock of a bundle.';
  static override description =
    'Adds a signature to the file <lock>.sig. Several people can sign one lock; one signature by a ' +
    'trusted key is enough to apply it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp.bundle.lock.json --key corp-2026.key.pem --name corp-2026',
  ];
  static override args = {
    lock: Args.string({description: 'Lock that gemini bundle lock wrote.', required: true, ignoreStdin: true}),
  };
  static override flags = {
    key: Flags.string({description: 'File with the private key.', required: true}),
    name: Flags.string({description: 'Name under which others know the key.', required: true}),
  };

  async run(): Promise<SignedLock> {
    const {args, flags} = await this.parse(BundleSign);
    const {cwd} = this.kernel.environment;
    const {signLock} = await import('../../bundle/sign-lock.js');
    const signed = await signLock({
      place: resolve(cwd, args.lock),
      keyFile: resolve(cwd, flags.key),
      keyName: flags.name,
    });
    this.log(`Signed by ${signed.signers.join(' and ')}: ${relative(cwd, signed.file)}`);
    return signed;
  }
}
