import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {WrittenKey} from '../../bundle/write-key.js';

export default class BundleKey extends KernelCommand {
  static override summary = 'Make a key pair to sign bundles with.';
  static override description =
    'Makes an Ed25519 key pair. <name>.key.pem is the private key: only its owner can read it; do not ' +
    'share it. <name>.pub is the public key: give it to the people who apply your bundles.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp-2026',
    '<%= config.bin %> <%= command.id %> corp-2026 --directory ~/keys',
  ];
  static override args = {
    name: Args.string({description: 'Name under which others know the key.', required: true, ignoreStdin: true}),
  };
  static override flags = {directory: Flags.string({description: 'Folder to write both files to.', default: '.'})};

  async run(): Promise<WrittenKey> {
    const {args, flags} = await this.parse(BundleKey);
    const {cwd} = this.kernel.environment;
    const {writeKey} = await import('../../bundle/write-key.js');
    const written = await writeKey(resolve(cwd, flags.directory), args.name);
    this.log(`Private: ${relative(cwd, written.privateFile)} (do not commit it to a repository)`);
    this.log(`Public:  ${relative(cwd, written.publicFile)}`);
    this.log(`  ${written.name}=${written.publicKey}`);
    this.log(`  ${written.fingerprint}`);
    return written;
  }
}
