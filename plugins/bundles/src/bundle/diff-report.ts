import type {Style} from '@gemini-kernel/command';
import type {BundleDiff, NameChanges, PluginChange, PolicyChange} from './diff-bundles.js';
import type {ValueChange} from './diff-values.js';
import {oneLine} from '../one-line.js';

type Paint = (style: Style, text: string) => string;

/** A comparison for a reviewer: changes of what plugins may do come first. */
export function diffReport(diff: BundleDiff, paint: Paint): readonly string[] {
  const {before, after, plugins, product, policies, files, terms} = diff;
  const parts = [
    section(
      'CAPABILITIES',
      plugins.flatMap((one) => capabilityLines(one, paint)),
      (title) => paint('bad', title),
    ),
    section(
      'Plugins',
      plugins.flatMap((one) => pluginLines(one, paint)),
      (title) => paint('strong', title),
    ),
    section('Plugins of the product that are kept', nameLines(product, paint), (title) => paint('strong', title)),
    section(
      'Policies',
      policies.flatMap((one) => policyLines(one, paint)),
      (title) => paint('strong', title),
    ),
    section('Files of extensions and skills', nameLines(files, paint), (title) => paint('strong', title)),
    section(
      'Terms',
      terms.map((one) => valueLine(one, paint)),
      (title) => paint('strong', title),
    ),
  ].filter((lines) => lines.length > 0);
  const heading = `${before.name} ${before.serial} -> ${after.name} ${after.serial}`;
  return parts.length === 0 ? [`${heading}: no differences.`] : [heading, ...parts.flatMap((lines) => ['', ...lines])];
}

function section(title: string, lines: readonly string[], mark: (title: string) => string): readonly string[] {
  return lines.length === 0 ? [] : [mark(title), ...lines.map((line) => `  ${line}`)];
}

function capabilityLines({name, gained, lost}: PluginChange, paint: Paint): readonly string[] {
  return [
    ...gained.map((one) => `${paint('bad', '+')} ${name} may now: ${paint('strong', one)}`),
    ...lost.map((one) => `${paint('good', '-')} ${name} may no longer: ${one}`),
  ];
}

function pluginLines(
  {name, change, before, after, terms, dependencies, files}: PluginChange,
  paint: Paint,
): readonly string[] {
  if (change === 'added')
    return [`${paint('good', '+')} ${name} ${after ?? ''}${countOf(dependencies.added, 'dependency', 'dependencies')}`];
  if (change === 'removed') return [`${paint('bad', '-')} ${name} ${before ?? ''}`];
  const version =
    before === after ? `${after ?? ''}, same version with other content` : `${before ?? ''} -> ${after ?? ''}`;
  return [
    `${paint('warn', '~')} ${name} ${version}`,
    ...terms.map((one) => `    ${valueLine(one, paint)}`),
    ...nameLines(dependencies, paint).map((line) => `    dependency ${line}`),
    ...(files
      ? nameLines(files, paint).map((line) => `    file ${line}`)
      : ['    files: not compared, because an archive is not available']),
  ];
}

function countOf(list: readonly unknown[], one: string, many: string): string {
  return list.length === 0 ? '' : ` with ${list.length} ${list.length === 1 ? one : many}`;
}

function nameLines({added, removed, changed}: NameChanges, paint: Paint): readonly string[] {
  return [
    ...added.map((name) => `${paint('good', '+')} ${name}`),
    ...removed.map((name) => `${paint('bad', '-')} ${name}`),
    ...changed.map((name) => `${paint('warn', '~')} ${name}`),
  ];
}

function policyLines({path, change, lines}: PolicyChange, paint: Paint): readonly string[] {
  const mark = {added: paint('good', '+'), removed: paint('bad', '-'), changed: paint('warn', '~')}[change];
  const body = lines?.map((line) => `    ${paint(line.startsWith('+') ? 'good' : 'bad', line)}`) ?? [
    '    text not available',
  ];
  return [`${mark} ${oneLine(path)}`, ...body];
}

function valueLine(change: ValueChange, paint: Paint): string {
  if (!('before' in change)) return `${paint('good', '+')} ${change.key}: ${JSON.stringify(change.after)}`;
  if (!('after' in change)) return `${paint('bad', '-')} ${change.key}: ${JSON.stringify(change.before)}`;
  return `${paint('warn', '~')} ${change.key}: ${JSON.stringify(change.before)} -> ${JSON.stringify(change.after)}`;
}
