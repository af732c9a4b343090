import {findNearest} from '@gemini-kernel/kernel';
import {parse, TomlError} from 'smol-toml';
import type {Checker, Problem, Rule, RuleSet} from '../rule.js';
import {Entry, type RuleFile} from './entry.js';
import {readChecker} from './read-checker.js';
import {isLimitsFile, LIMIT_KEYS, readLimits} from './read-limits.js';
import {readRule} from './read-rule.js';
import {isTable} from './rule-keys.js';
import {findPlaces, type TomlPlaces} from './toml-places.js';

export type {RuleFile} from './entry.js';

const HEADERS: Readonly<Record<string, 'rule' | 'checker'>> = {
  rule: 'rule',
  rules: 'rule',
  safety_checker: 'checker',
  safety_checkers: 'checker',
};

/**
 * Reads the text of one rule file, in either dialect. Never throws: what is wrong is a problem with its place. A faulty
 * rule that allows is left out; one that asks or denies stays, without the condition that cannot be used, so that a
 * slip never lets more through.
 */
export function readRules(text: string, file: RuleFile): RuleSet {
  const source = text.replace(/^\uFEFF/, '');
  const rules: Rule[] = [];
  const checkers: Checker[] = [];
  const problems: Problem[] = [];
  const root = parseToml(source, file, problems);
  if (!root) return {rules, checkers, problems};
  const context: Context = {file, places: findPlaces(source), problems, knownTools: new Set(file.knownTools)};
  const isLimits = isLimitsFile(file);
  for (const [header, value] of Object.entries(root)) {
    if (isLimits && LIMIT_KEYS.includes(header)) continue;
    const kind = Object.hasOwn(HEADERS, header) ? HEADERS[header] : undefined;
    if (kind === undefined) tellUnknownHeader(header, context);
    else {
      for (const entry of entriesOf(header, value, {...context, kind})) {
        if (kind === 'rule') rules.push(...readRule(entry, context.knownTools));
        else checkers.push(...readChecker(entry));
      }
    }
  }
  const limits = isLimits ? readLimits(root, context) : undefined;
  return {rules, checkers, problems, ...(limits ? {limits: [limits]} : {})};
}

interface Context {
  readonly file: RuleFile;
  readonly places: TomlPlaces;
  readonly problems: Problem[];
  readonly knownTools: ReadonlySet<string>;
}

function parseToml(
  text: string,
  {tier, file}: RuleFile,
  problems: Problem[],
): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(text, {maxDepth: 64});
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.replace(/^Invalid TOML document: /, '').split('\n')[0] ?? '';
    problems.push({
      severity: 'error',
      tier,
      file,
      line: error.line,
      column: error.column,
      message: `The file is not TOML: ${reason}.`,
      hint: 'None of its rules count until this is corrected.',
    });
    return undefined;
  }
}

function tellUnknownHeader(header: string, {file: {tier, file}, places, problems}: Context): void {
  const nearest = findNearest(header, Object.keys(HEADERS))[0];
  const isElsewhere = LIMIT_KEYS.includes(header);
  problems.push({
    // Perhaps something was to be denied there.
    severity: nearest === undefined ? 'warning' : 'error',
    tier,
    file,
    ...places.find([header]),
    message: `There is no key "${header}"; what it holds is not used.`,
    hint: isElsewhere
      ? `A file with the name sandbox.toml has [${header}].`
      : nearest === undefined
        ? 'Rules stand under [[rule]].'
        : `Did you mean [[${nearest}]]?`,
  });
}

function entriesOf(
  header: string,
  value: unknown,
  {file, places, problems, kind}: Context & {readonly kind: 'rule' | 'checker'},
): readonly Entry[] {
  const source = {file, places, problems};
  if (isTable(value)) {
    const entry = new Entry(value, [header], kind, source);
    entry.tell('warning', undefined, {
      message: `[${header}] is read as [[${header}]].`,
      hint: 'Double brackets leave room for the next one.',
    });
    return [entry];
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item, index) => {
    if (isTable(item)) return [new Entry(item, [header, index], kind, source)];
    problems.push({
      severity: 'error',
      tier: file.tier,
      file: file.file,
      ...places.find([header, index]),
      message: `What stands under "${header}" is not a table.`,
      hint: `Begin each with [[${header}]].`,
    });
    return [];
  });
}
