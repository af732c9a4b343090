import type {LockedPlugin} from '@gemini-kernel/admission';
import {oneLine} from '../../one-line.js';
import type {Candidate} from './candidate.js';
import {needsConsent, type PluginChange} from './compare-locked.js';
import {describeAdditions, describeAge, describeCapability, describeOrigin, describeSize} from './describe-plugin.js';
import {describeTier, explainCapability} from './explain-capability.js';
import {describeBuild, findLostProof} from './describe-provenance.js';

/** A candidate, and what it is compared with. */
export interface ConsentSubject extends Candidate {
  readonly name: string;
  readonly before: LockedPlugin | undefined;
  /** Another plugin whose name looks like this one's. */
  readonly lookalike: string | undefined;
  readonly now: Date;
  /** Whether it will run in a process of its own; absent where it is not known. */
  readonly tier?: Parameters<typeof describeTier>[0];
}

/** What a person sees before agreeing: the name, warnings, what it wants to do, what it adds, where it is from. */
export function describeConsent(subject: ConsentSubject, change: PluginChange): readonly string[] {
  const {name, locked, before} = subject;
  const shown = [...alarms(subject, change), ...contents(subject), ...origins(subject), ...remarks(subject)].filter(
    (row): row is readonly [string, string] => row[1] !== undefined,
  );
  return [
    `${name} ` +
      `${locked.version}${before && before.version !== locked.version ? ` (${before.version} is installed)` : ''}`,
    ...shown.map(([label, text]) => `  ${label.padEnd(11)} ${oneLine(text)}`),
  ];
}

type Row = readonly [label: string, text: string | undefined];

function alarms({locked, before, lookalike}: ConsentSubject, change: PluginChange): readonly Row[] {
  return [
    ['WARNING', lookalike && `its name looks like ${lookalike}, which is another plugin`],
    ['new', before && needsConsent(change) ? describeNews(before, locked, change).join('; ') : undefined],
  ];
}

function contents({locked: {capabilities, replaces = []}, manifest, tier}: ConsentSubject): readonly Row[] {
  return [
    ['wants to', capabilities.map(describeCapability).join('; ') || 'nothing, by its own account'],
    ...capabilities.map((one): Row => ['at worst', explainCapability(one).worst]),
    ['may ask to', (manifest.optional ?? []).map(describeCapability).join('; ') || undefined],
    ['held by', tier && describeTier(tier)],
    [
      'replaces',
      replaces.length > 0
        ? `the built-in ${replaces.length === 1 ? 'tool' : 'tools'} ${replaces.join(', ')}`
        : undefined,
    ],
    ['adds', describeAdditions(manifest).join('; ') || 'nothing'],
  ];
}

function origins(subject: ConsentSubject): readonly Row[] {
  return [
    ['from', describeOrigin(subject.locked)],
    ['published', subject.published && describeAge(subject.published, subject.now)],
    ['signed by', signature(subject)],
    ['built from', describeBuild(subject.locked, subject.unproven)],
    ['size', sizeOf(subject)],
  ];
}

function remarks({deprecated, tooYoung, scripts}: ConsentSubject): readonly Row[] {
  return [
    ['deprecated', deprecated && oneLine(deprecated, 300)],
    ['skipped', tooYoung && `${tooYoung}, which is newer than the administrator allows`],
    [
      'not run',
      scripts.length > 0 ? `the install scripts of ${scripts.map((one) => oneLine(one, 80)).join(', ')}` : undefined,
    ],
  ];
}

function describeNews(
  before: LockedPlugin,
  {signer, provenance}: LockedPlugin,
  change: PluginChange,
): readonly string[] {
  return [
    ...change.newCapabilities.map((one) => `it wants to ${describeCapability(one)}`),
    ...change.newReplaced.map((one) => `it replaces ${one}`),
    ...(change.isSourceNew ? [`it came from ${describeOrigin(before)} before`] : []),
    ...(change.isSignerNew
      ? [`it was signed by ${before.signer ?? 'no one'} before, and by ${signer ?? 'no one'} now`]
      : []),
    ...[findLostProof(before.provenance, provenance) ?? []].flat(),
  ];
}

function signature({locked: {signer, source}, unknownKey}: ConsentSubject): string | undefined {
  if (source.type === 'link') return undefined;
  return signer ?? (unknownKey ? `${oneLine(unknownKey, 80)}, an unknown key that proves nothing` : 'no one');
}

function sizeOf({files, bytes, locked: {dependencies = {}}}: ConsentSubject): string | undefined {
  if (files === undefined || bytes === undefined) return undefined;
  const count = Object.keys(dependencies).length;
  return (
    `${files} files, ${describeSize(bytes)}, ` +
    `${count === 0 ? 'no dependencies' : count === 1 ? '1 dependency' : `${count} dependencies`}`
  );
}
