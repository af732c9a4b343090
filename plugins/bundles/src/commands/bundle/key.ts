import {relative, resolve} from 'node:path';
import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import type {WrittenKey} from '../../bundle/write-key.js';

export default class BundleKey extends KernelCommand {
  static override summary = 'Make a key pair that bundles are signed with.';
  static override description =
    'An Ed25519 pair: <name>.key.pem is private, for the owner only, and leaves your hands never; <name>.pub is ' +
    'what others know you by.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> corp-2026',
    '<%= config.bin %> <%= command.id %> corp-2026 --directory ~/keys',
  ];
  static override args = {
    name: Args.string({description: 'Name that others know the key by.', required: true, ignoreStdin: true}),
  };
  static override flags = {directory: Flags.string({description: 'Folder to write both halves to.', default: '.'})};

  async run(): Promise<WrittenKey> {
    const {args, flags} = await this.parse(BundleKey);
    const {cwd} = this.kernel.environment;
    const {writeKey} = await import('../../bundle/write-key.js');
    const written = await writeKey(resolve(cwd, flags.directory), args.name);
    this.log(`Private: ${relative(cwd, written.privateFile)} (keep it out of every repository)`);
    this.log(`Public:  ${relative(cwd, written.publicFile)}`);
    this.log(`  ${written.name}=${written.publicKey}`);
    this.log(`  ${written.fingerprint}`);
    return written;
  }
}
