import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {checkDirectly, checkRequired} from '@gemini-kernel/admission/modules';
import {digestOf, PROTOCOL, type Hello} from '../wire/hello.js';

/**
 * Answers the first request. From then on a module of the plugin runs only if its bytes are those that the lock vouches
 * for. Throws when the two sides are not of one version, or the plugin is not the one that gemini knows.
 */
export function greet({protocol, root, manifest, tree}: Hello): Pick<Hello, 'protocol' | 'manifest'> {
  if (protocol !== PROTOCOL) throw new Error(`It speaks protocol ${PROTOCOL}, and gemini ${protocol}.`);
  const own = digestOf(JSON.parse(readFileSync(join(root, 'gemini.plugin.json'), 'utf8')));
  if (own === manifest && tree) {
    const trees = [{root: tree.root, digests: new Map(tree.digests)}];
    // What else it may use is mounted, and cannot be written.
    const checks = {trees, program: '/'};
    checkRequired(checks);
    // An older Node has no such hooks within one thread, and the permission model allows no other.
    checkDirectly(checks);
  }
  return {protocol: PROTOCOL, manifest: own};
}
