import {findNearest} from '@gemini-kernel/kernel';
import {parse, TomlError} from 'smol-toml';
import {
  onlyTightens,
  type Checker,
  type Conditions,
  type Decision,
  type Problem,
  type Rule,
  type RuleSet,
  type RuleSource,
} from '../rule.js';
import {Entry, type RuleFile} from './entry.js';
import {findContradiction} from './never-matches.js';
import {readChecker} from './read-checker.js';
import {readConditions} from './read-conditions.js';
import {isTable, type FieldName} from './rule-keys.js';
import {findPlaces, type TomlPlaces} from './toml-places.js';
import {findNameFault} from './tool-names.js';

export type {RuleFile} from './entry.js';

const DEFAULT_PRIORITY = 500;
const LAST_PRIORITY = 999;
const DECISIONS: Readonly<Record<string, Decision>> = {
  allow: 'allow',
  deny: 'deny',
  ask: 'ask',
  ask_user: 'ask',
  confirm: 'ask',
  confirmation_required: 'ask',
};
const HEADERS: Readonly<Record<string, 'rule' | 'checker'>> = {
  rule: 'rule',
  rules: 'rule',
  safety_checker: 'checker',
  safety_checkers: 'checker',
};

/** Conditions on the call itself; the others are on the time and the place. */
const SUBJECTS: readonly FieldName[] = [
  'toolName',
  'mcpName',
  'commandPrefix',
  'commandRegex',
  'commandPattern',
  'path',
  'pathPattern',
  'effect',
  'argsPattern',
  'toolAnnotations',
  'workspaceRoot',
  'subagent',
];

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
  for (const [header, value] of Object.entries(root)) {
    const kind = Object.hasOwn(HEADERS, header) ? HEADERS[header] : undefined;
    if (kind === undefined) tellUnknownHeader(header, context);
    else {
      for (const entry of entriesOf(header, value, {...context, kind})) {
        if (kind === 'rule') rules.push(...readRule(entry, context.knownTools));
        else checkers.push(...readChecker(entry));
      }
    }
  }
  return {rules, checkers, problems};
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
  problems.push({
    // Perhaps something was to be denied there.
    severity: nearest === undefined ? 'warning' : 'error',
    tier,
    file,
    ...places.find([header]),
    message: `There is no key "${header}"; what it holds is not used.`,
    hint: nearest === undefined ? 'Rules stand under [[rule]].' : `Did you mean [[${nearest}]]?`,
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

function readRule(entry: Entry, knownTools: ReadonlySet<string>): readonly Rule[] {
  const {decision, isSaid} = readDecision(entry);
  if (decision === 'allow' && onlyTightens({source: entry.source.file})) {
    tellAllowInVain(entry);
    return [];
  }
  const {conditions, commands} = readConditions(entry, decision === 'allow');
  requireSubject(entry);
  const priority = readPriority(entry, decision);
  const ignoreCase = entry.truth('ignoreCase');
  const sensitive = entry.truth('sensitive') ?? (entry.has('sensitive') && decision !== 'allow');
  if (decision === 'allow' && entry.isBroken) {
    entry.settle('the rule is left out');
    return [];
  }
  // A denial that lost its last condition would stop everything.
  const isTotal = entry.isBroken && commands[0] === undefined && !isNarrow(conditions);
  entry.settle(isTotal ? 'it asks about every call' : isSaid ? 'the rule holds without it' : 'the rule asks');
  checkNames(entry, knownTools);
  const source = sourceOf(entry);
  const outcome = {
    ...readTexts(entry, source.label),
    source,
    decision: isTotal ? ('ask' as const) : decision,
    priority,
    allowRedirection: readRedirection(entry),
    sensitive,
    ...(ignoreCase ? {ignoreCase} : {}),
  };
  const rules = commands.map((command): Rule => ({
    ...outcome,
    ...conditions,
    ...(command === undefined ? {} : {command}),
  }));
  tellContradiction(entry, rules);
  return rules;
}

function tellAllowInVain(entry: Entry): void {
  const {tier} = entry.source.file;
  const owner =
    tier === 'extension'
      ? 'An extension'
      : tier === 'workspace'
        ? 'A project'
        : 'On a machine with an administrator, a file that a person names for that tier';
  entry.tell('warning', 'decision', {
    message: `${owner} can only make rules stricter; this rule that allows is left out.`,
    hint: 'Put it into a file in ~/.gemini/policies if you want it.',
  });
}

function readDecision(entry: Entry): {readonly decision: Decision; readonly isSaid: boolean} {
  const value = entry.value('decision');
  const decision = typeof value === 'string' && Object.hasOwn(DECISIONS, value) ? DECISIONS[value] : undefined;
  if (decision !== undefined) return {decision, isSaid: true};
  if (value === undefined)
    entry.lack('The rule does not say what it decides', 'Add decision = "allow", "deny" or "ask_user".');
  else entry.break('decision', `does not take ${JSON.stringify(value)}`, 'It takes allow, deny, ask_user.');
  return {decision: 'ask', isSaid: false};
}

/** A rule about every call says so, so that a lost key does not make one. */
function requireSubject(entry: Entry): void {
  if (!SUBJECTS.some((name) => entry.has(name)))
    entry.lack('The rule does not say which calls it is about', 'Add toolName, or toolName = "*" for all of them.');
}

function readPriority(entry: Entry, decision: Decision): number {
  const value = entry.value('priority');
  if (value === undefined) return DEFAULT_PRIORITY;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LAST_PRIORITY) return value;
  if (decision === 'allow') {
    entry.break('priority', `must be a whole number from 0 to ${LAST_PRIORITY}`);
    return DEFAULT_PRIORITY;
  }
  const near =
    typeof value === 'number' && !Number.isNaN(value)
      ? Math.min(Math.max(Math.trunc(value), 0), LAST_PRIORITY)
      : decision === 'deny'
        ? LAST_PRIORITY
        : DEFAULT_PRIORITY;
  entry.tell('error', 'priority', {
    message: `"priority" must be a whole number from 0 to ${LAST_PRIORITY}; ${near} is taken.`,
  });
  return near;
}

function isNarrow({
  tools,
  server,
  subagent,
  args,
  path,
  effect,
  workspaceRoot,
  annotations,
}: Omit<Conditions, 'command'>): boolean {
  return (
    !tools.includes('*') ||
    [server, subagent, args, path, effect, workspaceRoot, annotations].some((condition) => condition !== undefined)
  );
}

function checkNames(entry: Entry, knownTools: ReadonlySet<string>): void {
  for (const name of ['toolName', 'except'] as const) {
    if (name === 'toolName' && entry.has('mcpName')) continue;
    (entry.texts(name) ?? []).forEach((tool, element) => {
      const fault = findNameFault(tool, knownTools);
      if (fault)
        entry.tell('warning', name, {
          message: fault.message,
          hint: fault.nearest === undefined ? undefined : `Did you mean "${fault.nearest}"?`,
          element,
        });
    });
  }
}

function sourceOf(entry: Entry): RuleSource {
  const {tier, tightens, file, label} = entry.source.file;
  return {tier, label: `${label}:${entry.line}`, file, line: entry.line, ...(tightens ? {tightens} : {})};
}

function readTexts(entry: Entry, label: string): Pick<Rule, 'id' | 'description' | 'message'> {
  const read = (name: FieldName): string | undefined => {
    const value = entry.value(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    entry.tell('warning', name, {message: `"${name}" must be a text that is not empty; it is not used.`});
    return undefined;
  };
  const [id, description, message] = [read('id') ?? read('name') ?? label, read('description'), read('message')];
  return {id, ...(description === undefined ? {} : {description}), ...(message === undefined ? {} : {message})};
}

function readRedirection(entry: Entry): boolean {
  const value = entry.value('allowRedirection');
  if (value !== undefined && typeof value !== 'boolean')
    entry.tell('warning', 'allowRedirection', {message: '"allowRedirection" must be true or false; false is taken.'});
  return value === true;
}

function tellContradiction(entry: Entry, rules: readonly Rule[]): void {
  for (const rule of rules) {
    const found = findContradiction(rule);
    if (found) return entry.tell('warning', found.name, {message: `The rule can never match: ${found.reason}.`});
  }
}
