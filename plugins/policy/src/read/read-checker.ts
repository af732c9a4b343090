import type {Checker} from '../rule.js';
import type {Entry} from './entry.js';
import {readConditions} from './read-conditions.js';
import {isTable} from './rule-keys.js';

const IN_PROCESS = ['allowed-path', 'conseca'];
const CONTEXTS = ['environment', 'history'] as const;

/** Reads a checker. One that is faulty stays: the engine denies what a checker it cannot run was to look at. */
export function readChecker(entry: Entry): readonly Checker[] {
  const {conditions, commands} = readConditions(entry, false);
  const {tier, file, label} = entry.source.file;
  const checker = {
    source: {tier, label: `${label}:${entry.line}`, file, line: entry.line},
    priority: readPriority(entry),
    ...readProgram(entry),
    ...readContext(entry),
    config: readConfig(entry),
  };
  entry.settle('the checker holds without it');
  return commands.map((command) => ({...conditions, ...(command === undefined ? {} : {command}), ...checker}));
}

function readProgram(entry: Entry): Pick<Checker, 'type' | 'name'> {
  const type = entry.value('type');
  if (type === 'path_validation') return {type: 'in-process', name: 'allowed-path'};
  const name = entry.text('name') ?? '';
  const isInProcess = type === 'in-process';
  if (isInProcess && name !== '' && !IN_PROCESS.includes(name))
    tellUnrunnable(entry, 'name', `There is no checker "${name}" in the program`);
  else if ((!isInProcess && type !== 'external') || name === '')
    tellUnrunnable(entry, 'type', 'The checker does not say what runs');
  return {type: isInProcess ? type : 'external', name};
}

function tellUnrunnable(entry: Entry, key: 'name' | 'type', fault: string): void {
  entry.tell('error', key, {
    message: `${fault}; calls it was to look at are denied.`,
    hint:
      `Write type = "in-process" and name = "${IN_PROCESS.join('" or "')}", or type = "external" and the name of ` +
      'a program.',
  });
}

function readPriority(entry: Entry): number {
  const value = entry.value('priority');
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value ?? 0;
  entry.tell('warning', 'priority', {message: '"priority" must be a number; 0 is taken.'});
  return 0;
}

function readContext(entry: Entry): Pick<Checker, 'context'> {
  const texts = entry.has('requiredContext') ? entry.texts('requiredContext') : undefined;
  if (!texts) return {};
  const unknown = texts.find((text) => !(CONTEXTS as readonly string[]).includes(text));
  if (unknown !== undefined)
    entry.tell('warning', 'requiredContext', {
      message: `There is no context "${unknown}"; the checker is given all.`,
      hint: `There are ${CONTEXTS.join(' and ')}.`,
    });
  return unknown === undefined ? {context: CONTEXTS.filter((context) => texts.includes(context))} : {};
}

function readConfig(entry: Entry): Readonly<Record<string, unknown>> {
  const config = entry.value('config');
  if (config !== undefined && !isTable(config))
    entry.tell('error', 'config', {message: '"config" must be a table; it is not used.'});
  const allowed = entry.has('allowedPaths') ? entry.texts('allowedPaths') : undefined;
  return {...(isTable(config) ? config : {}), ...(allowed === undefined ? {} : {allowed_paths: allowed})};
}
