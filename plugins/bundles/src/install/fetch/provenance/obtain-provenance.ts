import {isKernelError} from '@gemini-kernel/kernel';
import type {Provenance} from '@gemini-kernel/admission';
import {judgeAddress} from '../../judge/judge-rules.js';
import type {Installer} from '../../source/installer.js';
import type {NpmOptions} from '../../source/read-npm-options.js';
import {hostOf, unreachable} from '../network-faults.js';
import {fetchBytes} from '../registry-client.js';
import {placeArchive, type ResolvedPackage} from '../resolve-registry.js';
import {proveProvenance} from './prove-provenance.js';
import {loadTrust} from './trust-root.js';

export interface ProvenanceRequest {
  readonly found: ResolvedPackage;
  readonly options: NpmOptions;
  /** Of the fetched bytes. */
  readonly integrity: string;
}

/** What is known about where an archive was built. */
export interface ObtainedProvenance {
  readonly provenance?: Provenance;
  /** Why the attestations that the registry lists prove nothing. */
  readonly unproven?: string;
}

const LIMIT = 4 * 1024 * 1024;

/**
 * Fetches the attestations that a registry lists for a version, from that registry only, and verifies them. If there
 * are no attestations, nothing is fetched or loaded. Throws KernelError PROVENANCE_BROKEN, MANAGED_UNMET and the
 * errors of `fetchBytes`.
 */
export async function obtainProvenance(
  installer: Pick<Installer, 'managed' | 'signal'>,
  {found, options, integrity}: ProvenanceRequest,
): Promise<ObtainedProvenance> {
  const {name, version, registry, attestations} = found;
  if (attestations === undefined) return {};
  const url = placeAttestations(attestations, registry, options);
  if (!url)
    return {
      unproven:
        `${hostOf(registry)} says that its attestations are at ${oneHost(attestations)}, but only the ` +
        'registry itself is asked',
    };
  const what = `the attestations of ${name} ${version}`;
  const answer = await fetchAttestations(installer, {url, options, what});
  if (!answer) return {unproven: `${hostOf(registry)} lists attestations but does not have them`};
  const provenance = await proveProvenance(answer, {name, version, integrity}, await loadTrust(installer));
  return provenance ? {provenance} : {unproven: 'its attestations do not say where it was built'};
}

/** The address of attestations on the registry itself; undefined when they are elsewhere. */
function placeAttestations(address: string, registry: string, options: NpmOptions): string | undefined {
  if (!URL.canParse(address, registry)) return undefined;
  const placed = placeArchive(new URL(address, registry), registry, options);
  const [{origin, username}, own] = [new URL(placed), new URL(registry)];
  return origin === own.origin && username === '' ? placed : undefined;
}

function oneHost(address: string): string {
  return URL.canParse(address) ? hostOf(address) : 'an invalid address';
}

interface Fetching {
  readonly url: string;
  readonly options: NpmOptions;
  readonly what: string;
}

/**
 * The bytes; undefined when the registry does not have them, as with mirrors that repeat what another registry says.
 */
async function fetchAttestations(
  installer: Pick<Installer, 'managed' | 'signal'>,
  {url, options, what}: Fetching,
): Promise<Buffer | undefined> {
  const judge = (hop: string): void => {
    if (new URL(hop).origin !== new URL(url).origin)
      throw unreachable(what, url, new Error(`it redirects to ${hostOf(hop)}, but only the registry itself is asked`));
    judgeAddress(installer, {url: hop, what, kinds: ['tarball', 'registry']});
  };
  try {
    return await fetchBytes({
      url,
      options,
      what,
      limit: LIMIT,
      signal: installer.signal,
      accept: 'application/json',
      judge,
    });
  } catch (error) {
    installer.signal.throwIfAborted();
    if (isKernelError(error) && error.code === 'INSTALL_MISSING') return undefined;
    throw error;
  }
}
