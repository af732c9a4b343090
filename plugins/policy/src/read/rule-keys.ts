import {findNearest} from '@gemini-kernel/kernel';
import type {TomlPath} from './toml-places.js';

/** What decides whether a rule speaks about a call: without one of these it would speak about more calls. */
export const conditionKeys = [
  'toolName',
  'mcpName',
  'subagent',
  'caller',
  'argsPattern',
  'commandPrefix',
  'commandRegex',
  'commandPattern',
  'modes',
  'interactive',
  'toolAnnotations',
  'path',
  'pathPattern',
  'effect',
  'workspaceRoot',
  'trusted',
  'sandboxed',
  'except',
] as const;
const outcomeKeys = [
  'decision',
  'priority',
  'message',
  'allowRedirection',
  'sensitive',
  'ignoreCase',
  'sandbox',
  'id',
  'description',
  'name',
] as const;
const checkerKeys = [
  'priority',
  'type',
  'name',
  'requiredContext',
  'config',
  'allowedPaths',
  'id',
  'description',
] as const;

export type ConditionKey = (typeof conditionKeys)[number];
export type FieldName = ConditionKey | (typeof outcomeKeys)[number] | (typeof checkerKeys)[number];

// An `action` that is no table says the decision itself.
const ALIASES: Readonly<Record<string, FieldName>> = {
  tool: 'toolName',
  tools: 'toolName',
  annotations: 'toolAnnotations',
  denyMessage: 'message',
  action: 'decision',
};

/**
 * How the keys of a table are read: the entry itself, or a table in it whose keys count as if they stood in the entry.
 */
interface Section {
  readonly names: readonly FieldName[];
  readonly aliases: Readonly<Record<string, FieldName>>;
}

interface Dialect {
  readonly top: Section;
  readonly sections: Readonly<Record<string, Section>>;
}

const CONDITION: Section = {names: conditionKeys, aliases: ALIASES};
const RULE: Section = {names: [...conditionKeys, ...outcomeKeys], aliases: ALIASES};
const CHECKER: Section = {names: [...conditionKeys, ...checkerKeys], aliases: ALIASES};
const DIALECTS: Readonly<Record<'rule' | 'checker', Dialect>> = {
  rule: {top: RULE, sections: {condition: CONDITION, action: {...RULE, aliases: {...ALIASES, type: 'decision'}}}},
  // The name of a checker is what it does; one written beside it is only a label.
  checker: {
    top: {...CHECKER, aliases: {...ALIASES, name: 'id'}},
    sections: {condition: CONDITION, checker: CHECKER, validator: CHECKER},
  },
};

export interface Field {
  readonly value: unknown;
  readonly path: TomlPath;
  /** As the file writes it. */
  readonly key: string;
}

/** A key that nothing is known about. */
export interface UnknownKey {
  readonly path: TomlPath;
  readonly key: string;
  readonly nearest: string | undefined;
  /** Whether it was meant to narrow the rule, as far as is known. */
  readonly isCondition: boolean;
}

/** The keys of one rule or checker of either dialect, each under the one name it has here. */
export interface Fields {
  readonly known: ReadonlyMap<FieldName, Field>;
  readonly unknown: readonly UnknownKey[];
  /** Keys that say again what another key says. */
  readonly repeated: readonly Field[];
}

/** Sorts the keys of an entry: snake_case is camelCase, `condition`, `action`, `checker` and `validator` are opened. */
export function sortKeys(entry: Readonly<Record<string, unknown>>, path: TomlPath, kind: 'rule' | 'checker'): Fields {
  const {top, sections} = DIALECTS[kind];
  const known = new Map<FieldName, Field>();
  const unknown: UnknownKey[] = [];
  const repeated: Field[] = [];
  const visit = (table: Readonly<Record<string, unknown>>, at: TomlPath, section: Section): void => {
    for (const [key, value] of Object.entries(table)) {
      const field = {value, path: [...at, key], key};
      const inner = section === top && Object.hasOwn(sections, key) && isTable(value) ? sections[key] : undefined;
      const name = nameOf(key, section);
      if (inner) visit(value as Readonly<Record<string, unknown>>, field.path, inner);
      else if (name === undefined)
        unknown.push(describeUnknown(field, section, section === top ? Object.keys(sections) : []));
      else if (known.has(name)) repeated.push(field);
      else known.set(name, field);
    }
  };
  visit(entry, path, top);
  return {known, unknown, repeated};
}

function nameOf(key: string, {names, aliases}: Section): FieldName | undefined {
  const camel = camelCase(key);
  return Object.hasOwn(aliases, camel) ? aliases[camel] : names.find((name) => name === camel);
}

function camelCase(key: string): string {
  return key.includes('_') ? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : key;
}

function describeUnknown({key, path}: Field, {names, aliases}: Section, sections: readonly string[]): UnknownKey {
  const camel = camelCase(key);
  const candidates = [...names, ...Object.keys(aliases), ...sections];
  const nearest =
    candidates.find((name) => name.toLowerCase() === camel.toLowerCase()) ?? findNearest(camel, candidates)[0];
  const target = nearest !== undefined && Object.hasOwn(aliases, nearest) ? aliases[nearest] : nearest;
  const isCondition =
    names === conditionKeys || target === 'condition' || conditionKeys.some((name) => name === target);
  // Where the file writes snake_case, so does the advice.
  const shown = key.includes('_') ? nearest?.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : nearest;
  return {path, key, nearest: shown, isCondition};
}

/** Whether a value is a TOML table. */
export function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
