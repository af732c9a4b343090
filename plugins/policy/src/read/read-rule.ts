import {onlyTightens, type Conditions, type Decision, type Rule, type RuleSource} from '../rule.js';
import type {Entry} from './entry.js';
import {findContradiction} from './never-matches.js';
import {readConditions} from './read-conditions.js';
import {readSandbox} from './read-sandbox.js';
import type {FieldName} from './rule-keys.js';
import {findNameFault} from './tool-names.js';

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
  'caller',
];

/**
 * Reads a rule, as one for each of its commands. A faulty one that allows is left out; one that asks or denies stays,
 * without the condition that cannot be used.
 */
export function readRule(entry: Entry, knownTools: ReadonlySet<string>): readonly Rule[] {
  const {decision, isSaid} = readDecision(entry);
  if (decision === 'allow' && onlyTightens({source: entry.source.file})) {
    tellAllowInVain(entry);
    return [];
  }
  const {conditions, commands} = readConditions(entry, decision === 'allow');
  requireSubject(entry);
  const priority = readPriority(entry, decision);
  const marks = readMarks(entry, decision);
  const sandbox = readSandbox(entry);
  if (decision === 'allow' && entry.isBroken) {
    entry.settle('the rule is left out');
    return [];
  }
  // A denial that lost its last condition would stop everything.
  const isTotal = entry.isBroken && commands[0] === undefined && !isNarrow(conditions);
  entry.settle(isTotal ? 'it asks about every call' : isSaid ? 'the rule holds without it' : 'the rule asks');
  checkNames(entry, knownTools);
  const source = sourceOf(entry);
  const shared = {
    ...readTexts(entry, source.label),
    source,
    decision: isTotal ? ('ask' as const) : decision,
    priority,
    allowRedirection: readRedirection(entry),
    ...marks,
    ...sandbox,
    ...conditions,
  };
  const rules = commands.map((command): Rule => ({...shared, ...(command === undefined ? {} : {command})}));
  tellContradiction(entry, rules);
  return rules;
}

function readMarks(entry: Entry, decision: Decision): Pick<Rule, 'sensitive' | 'ignoreCase'> {
  const ignoreCase = entry.truth('ignoreCase');
  const sensitive = entry.truth('sensitive') ?? (entry.has('sensitive') && decision !== 'allow');
  return {sensitive, ...(ignoreCase ? {ignoreCase} : {})};
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
  caller,
  args,
  path,
  effect,
  workspaceRoot,
  annotations,
}: Omit<Conditions, 'command'>): boolean {
  return (
    !tools.includes('*') ||
    [server, subagent, caller, args, path, effect, workspaceRoot, annotations].some(
      (condition) => condition !== undefined,
    )
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
