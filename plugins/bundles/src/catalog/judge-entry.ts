import {ruleFor, findBlocked, type PluginSource} from '@gemini-kernel/admission';
import {KernelError} from '@gemini-kernel/kernel';
import type {Capability} from '@gemini-kernel/kernel/host';
import {registryOf} from '../install/fetch/resolve-registry.js';
import {judgeEarly, rulesOf} from '../install/judge/judge-rules.js';
import {parseSpec, type WantedPlugin} from '../install/source/parse-spec.js';
import type {Installer} from '../install/source/installer.js';
import type {NpmOptions} from '../install/source/read-npm-options.js';
import type {CatalogEntry, EntryVerdict} from './catalogs.js';

/** What may be a capability; what else a source says is for people. */
const CAPABILITY = /^(fs:(read|write)(:~?\/.*)?|process|model|net:.+|env:.+)$/;

export interface Judging {
  readonly rules: Pick<Installer, 'environment' | 'managed' | 'now'>;
  readonly npm: NpmOptions;
}

/** What the rules say about a plugin before anything of it is fetched. */
export function judgeEntry(entry: Omit<CatalogEntry, 'verdict'>, {rules, npm}: Judging): EntryVerdict {
  const {install, name, version, published} = entry;
  try {
    const wanted = parseSpec(install, rules.environment.cwd);
    if (wanted.name !== undefined && wanted.name !== name)
      return {allowed: false, reason: `It is listed as ${name}, but its source is ${wanted.name}.`};
    const at = published === undefined ? undefined : new Date(published);
    judgeEarly(rules, {
      source: sourceOf(wanted, npm),
      name,
      ...(version === undefined ? {} : {version}),
      published: at,
    });
    return judgeRest(entry, rules);
  } catch (error) {
    if (error instanceof KernelError) return {allowed: false, reason: error.message};
    throw error;
  }
}

function sourceOf(wanted: WantedPlugin, npm: NpmOptions): PluginSource {
  if (wanted.type === 'registry')
    return {type: 'registry', registry: registryOf(wanted.name, npm), wanted: wanted.wanted};
  if (wanted.type !== 'git') return {type: wanted.type, location: wanted.location};
  return {type: 'git', location: wanted.location, commit: '', ...(wanted.wanted ? {wanted: wanted.wanted} : {})};
}

/** What rules ask of the content, which is there only once it was fetched. */
function judgeRest({name, does = []}: Omit<CatalogEntry, 'verdict'>, rules: Judging['rules']): EntryVerdict {
  const all = rulesOf(rules);
  const {integrity, tree, signers, provenance, blockedCapabilities} = all ? ruleFor(all, name) : {};
  const declared = does.filter((one): one is Capability => CAPABILITY.test(one));
  const blocked = findBlocked(declared, blockedCapabilities ?? []);
  if (blocked.length > 0)
    return {allowed: false, reason: `${name} may not be installed: the administrator blocks ${blocked.join(', ')}.`};
  const later = [
    ...(signers ? [`a signature by ${signers.join(' or ')}`] : []),
    ...(provenance ? ['proof of where it was built'] : []),
    ...((integrity ?? tree) ? ['the content that the rules name'] : []),
    ...(blockedCapabilities?.length ? [`no capability ${blockedCapabilities.join(', ')}`] : []),
  ];
  return {allowed: true, ...(later.length > 0 ? {later} : {})};
}
