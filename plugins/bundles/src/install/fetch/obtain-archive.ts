import {stat} from 'node:fs/promises';
import {readRegular} from '@gemini-kernel/files';
import {KernelError} from '@gemini-kernel/kernel';
import {durationOf, ruleFor, type LockedPlugin, type ManagedRules, type PluginSource} from '@gemini-kernel/admission';
import {omitUndefined} from '../../omit-undefined.js';
import {systemFault} from '../../system-faults.js';
import {judgeAddress, judgeEarly, rulesOf} from '../judge/judge-rules.js';
import type {Installer} from '../source/installer.js';
import type {WantedPlugin} from '../source/parse-spec.js';
import {ARCHIVE_READING, LARGEST_ARCHIVE} from './archive-reading.js';
import {checkIntegrity, integrityOf} from './integrity.js';
import {obtainGit} from './obtain-git.js';
import type {ObtainedArchive} from './obtained-archive.js';
import {packFolder} from './pack-folder.js';
import {obtainProvenance} from './provenance/obtain-provenance.js';
import {fetchBytes} from './registry-client.js';
import {registryOf, resolveFromRegistry} from './resolve-registry.js';

export interface ObtainRequest {
  readonly wanted: WantedPlugin;
  /** The locked entry: the archive must match it. */
  readonly locked?: LockedPlugin;
  /** An empty folder for temporary files. */
  readonly work: string;
}

/**
 * Fetches the archive of a plugin from its source, once, into memory. Checks the administrator's rules about the
 * source before anything is fetched.
 */
export async function obtainArchive(
  installer: Installer,
  {wanted, locked, work}: ObtainRequest,
): Promise<ObtainedArchive> {
  if (wanted.type === 'registry') return obtainFromRegistry(installer, wanted, locked);
  if (wanted.type === 'git') return obtainGit(installer, wanted, work);
  const source: PluginSource = {type: wanted.type, location: wanted.location};
  judgeEarly(installer, {source, name: wanted.name});
  if (wanted.type === 'folder') {
    const bytes = await packFolder(installer, wanted.location, work);
    return {bytes, integrity: integrityOf(bytes), source};
  }
  const bytes = /^https?:/i.test(wanted.location)
    ? await download(installer, wanted.location)
    : await readArchive(wanted.location);
  if (locked?.integrity) checkIntegrity(bytes, locked.integrity, {what: wanted.location, by: 'the lock'});
  return {bytes, integrity: integrityOf(bytes), source};
}

async function obtainFromRegistry(
  installer: Installer,
  {name, wanted}: Extract<WantedPlugin, {type: 'registry'}>,
  locked: LockedPlugin | undefined,
): Promise<ObtainedArchive> {
  const rules = rulesOf(installer);
  const options = await installer.npm();
  const source: PluginSource = {type: 'registry', registry: registryOf(name, options), wanted};
  judgeEarly(installer, {source, name});
  const before = rules && latestAllowed(rules, name, installer.now());
  const found = await resolveFromRegistry({
    name,
    wanted,
    options,
    signal: installer.signal,
    ...omitUndefined({before}),
    judge: (url) => judgeAddress(installer, {url, what: name, kinds: ['registry']}),
  });
  const {version, published, tooYoung, deprecated} = found;
  judgeEarly(installer, {source, name, version, published});
  const what = `${name} ${version}`;
  // The entry that was agreed to takes precedence over what the registry says today.
  const isLocked = locked?.version === version && locked.integrity !== undefined && locked.source.type === 'registry';
  const judge = (url: string): void => judgeAddress(installer, {url, what, kinds: ['tarball', 'registry']});
  // Many registries keep archives elsewhere: under another path, which is theirs, or on another host, which may belong
  // to anyone.
  if (new URL(found.archive).host !== new URL(found.registry).host) judge(found.archive);
  const bytes = await fetchBytes({
    url: found.archive,
    options,
    what,
    limit: LARGEST_ARCHIVE,
    signal: installer.signal,
    judge,
  });
  checkIntegrity(bytes, found.integrity, {what, by: 'the registry'});
  if (isLocked) checkIntegrity(bytes, locked.integrity ?? '', {what, by: 'the lock'});
  const own = integrityOf(bytes);
  const proof = await obtainProvenance(installer, {found, options, integrity: own});
  return {
    bytes,
    integrity: own,
    source,
    ...proof,
    ...omitUndefined({published, tooYoung, deprecated}),
  };
}

/** The latest allowed time of publication; undefined when the rules set none. */
function latestAllowed(rules: ManagedRules, name: string, now: Date): Date | undefined {
  const {minReleaseAge} = ruleFor(rules, name);
  return minReleaseAge === undefined ? undefined : new Date(Math.max(0, now.getTime() - durationOf(minReleaseAge)));
}

async function download(installer: Installer, url: string): Promise<Buffer> {
  const judge = (hop: string): void => judgeAddress(installer, {url: hop, what: 'The archive', kinds: ['tarball']});
  return fetchBytes({
    url,
    options: await installer.npm(),
    what: 'the archive',
    limit: LARGEST_ARCHIVE,
    signal: installer.signal,
    judge,
  });
}

async function readArchive(path: string): Promise<Buffer> {
  try {
    const {size} = await stat(path);
    if (size > LARGEST_ARCHIVE)
      throw new KernelError('ARCHIVE_REFUSED', `The archive ${path} is larger than ${LARGEST_ARCHIVE} bytes.`);
    return await readRegular(path, ARCHIVE_READING);
  } catch (error) {
    throw systemFault(error, {code: 'INSTALL_MISSING', act: `Cannot read the archive ${path}`});
  }
}
