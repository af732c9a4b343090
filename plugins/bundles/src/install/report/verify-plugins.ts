import {existsSync} from 'node:fs';
import {isKernelError, messageOf} from '@gemini-kernel/kernel';
import {hashTree, readManifest} from '@gemini-kernel/admission';
import {omitUndefined} from '../../omit-undefined.js';
import {listInstalled, type LockedPlace} from '../commit/list-installed.js';
import {notInstalled} from '../commit/not-installed.js';
import {factsOf} from '../judge/facts-of.js';
import {findSigner} from '../judge/find-signer.js';
import {judgePlugin} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';

export interface VerifiedPlugin {
  readonly name: string;
  readonly version: string;
  readonly scope: LockedPlace['scope'];
  /** Faults, one sentence each; empty when it matches its lock and is allowed here. */
  readonly faults: readonly string[];
}

/**
 * Hashes every file of every installed plugin, ignoring earlier results, and checks signatures, manifests, locks and
 * the administrator's rules.
 */
export async function verifyPlugins(installer: Installer, name?: string): Promise<readonly VerifiedPlugin[]> {
  const all = await listInstalled(installer.environment, installer.schemas.lock);
  const chosen = all.filter((one) => name === undefined || one.name === name);
  if (name !== undefined && chosen.length === 0)
    throw notInstalled(
      name,
      all.map((one) => one.name),
    );
  const verified: VerifiedPlugin[] = [];
  for (const one of chosen)
    verified.push({
      name: one.name,
      version: one.locked.version,
      scope: one.scope,
      faults: await findFaults(installer, one),
    });
  return verified;
}

async function findFaults(installer: Installer, {name, locked, root, place}: LockedPlace): Promise<readonly string[]> {
  if (!existsSync(root)) return [`Its folder ${root} is missing.`];
  const faults: string[] = [];
  const note = async (act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (error) {
      installer.signal.throwIfAborted();
      if (!(error instanceof Error)) throw error;
      faults.push(isKernelError(error) ? error.message : `${messageOf(error)}.`);
    }
  };
  let signer: string | undefined;
  await note(() => {
    if (place === undefined || locked.tree === undefined || hashTree(place) === locked.tree) return;
    throw new Error('Its files differ from its lock');
  });
  await note(async () => {
    ({signer} = await findSigner(installer, root, name));
    if (place !== undefined && locked.signer !== undefined && locked.signer !== signer)
      throw new Error(`The lock says that ${locked.signer} signed it, but ${signer ?? 'no one'} did`);
  });
  await note(async () => {
    const {name: written, version, capabilities = []} = await readManifest(root, installer.schemas.plugin);
    if (written !== name || (place !== undefined && version !== locked.version))
      throw new Error(`Its manifest says it is ${written} ${version}`);
    const {signer: _, ...others} = locked;
    const found = {...others, version, capabilities, ...omitUndefined({signer})};
    // Its age was checked when it was installed.
    judgePlugin(installer, {...factsOf(name, found), published: new Date(0)});
  });
  return faults;
}
