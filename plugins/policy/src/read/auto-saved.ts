import {join} from 'node:path';
import {KernelError} from '@gemini-kernel/kernel';
import type {ConfigFiles} from '@gemini-kernel/plugin-settings/contract';
import {parse, TomlError} from 'smol-toml';
import type {Rule} from '../rule.js';
import {readRules} from './read-rules.js';
import {composeServerTool} from './tool-names.js';

export interface Appended {
  /** How many rules were not there yet. */
  readonly added: number;
  /** Where the text went that was no TOML. */
  readonly backup?: string;
}

/** The file that approvals are kept in. */
export function autoSavedFileOf(home: string): string {
  return join(home, '.gemini', 'policies', 'auto-saved.toml');
}

/**
 * Keeps approvals, each once. What stands in the file stays byte for byte; one that is not TOML is copied to `.bak` and
 * begun again. Throws KernelError POLICY_UNWRITABLE when the file would not say what was approved, and what the files
 * throw.
 */
export async function appendApprovals(
  path: string,
  rules: readonly Rule[],
  files: Pick<ConfigFiles, 'read' | 'replace'>,
): Promise<Appended> {
  for (;;) {
    const text = await files.read(path);
    const isBroken = text !== undefined && !isToml(text);
    const before = text === undefined || isBroken ? '' : text;
    const fresh = rules.filter((rule) => !isKept(rule, before, path));
    if (fresh.length === 0) return {added: 0};
    const after = addRules(before, fresh);
    if (fresh.some((rule) => !isKept(rule, after, path))) throw unwritable(path, 'it would not say what was approved');
    const backup = isBroken ? await keepBroken(path, text, files) : undefined;
    // Another process may have written meanwhile; then what it wrote is read first.
    if (await files.replace(path, text, after)) return {added: fresh.length, ...(backup === undefined ? {} : {backup})};
  }
}

/** The text of rules as a new file of approvals holds it. */
export function textOfRules(rules: readonly Rule[]): string {
  return addRules('', rules);
}

/**
 * The text with the rules at its end, each as a `[[rule]]` that the reference reads too, in the line ends of the text.
 */
function addRules(text: string, rules: readonly Rule[]): string {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const start = text === '' || text.endsWith('\n') ? text : `${text}${eol}`;
  return rules.reduce(
    (all, rule) => `${all}${all.replace('\uFEFF', '') === '' ? '' : eol}${linesOf(rule).join(eol)}${eol}`,
    start,
  );
}

function linesOf({
  tools,
  server,
  command,
  path,
  workspaceRoot,
  modes = [],
  allowRedirection,
  priority,
}: Rule): readonly string[] {
  const [tool = ''] = tools;
  const prefix = server === undefined ? '' : composeServerTool(server, '*').replace(/\*$/, '');
  return [
    '[[rule]]',
    `toolName = ${quote(tool.startsWith(prefix) ? tool.slice(prefix.length) : tool)}`,
    ...(server === undefined ? [] : [`mcpName = ${quote(server)}`]),
    ...(command === undefined
      ? []
      : 'prefix' in command
        ? [`commandPrefix = ${quote(command.prefix)}`]
        : [`commandRegex = ${quote(command.pattern)}`]),
    ...(path === undefined ? [] : [`path = [${path.map(quote).join(', ')}]`]),
    ...(workspaceRoot === undefined ? [] : [`workspaceRoot = [${workspaceRoot.map(quote).join(', ')}]`]),
    `modes = [${modes.map((mode) => quote(mode === 'auto_edit' ? 'autoEdit' : mode)).join(', ')}]`,
    ...(allowRedirection ? ['allowRedirection = true'] : []),
    'decision = "allow"',
    `priority = ${priority}`,
  ];
}

/** A basic string of TOML, which escapes what JSON does and DEL. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** Whether the rules in a text allow the same already, in all the modes. */
function isKept(rule: Rule, text: string, file: string): boolean {
  const kept = readRules(text, {tier: 'user', file, label: 'User', knownTools: []}).rules;
  return kept.some(
    (one) =>
      one.decision === 'allow' &&
      one.priority === rule.priority &&
      scopeOf(one) === scopeOf(rule) &&
      (rule.modes ?? []).every((mode) => one.modes?.includes(mode)),
  );
}

function scopeOf({
  tools,
  except,
  server,
  subagent,
  caller,
  args,
  command,
  path,
  effect,
  workspaceRoot,
  interactive,
  trusted,
  annotations,
  allowRedirection,
}: Rule): string {
  return JSON.stringify([
    tools[0],
    except,
    server,
    subagent,
    caller,
    args,
    command,
    path,
    effect,
    workspaceRoot,
    interactive,
    trusted,
    annotations,
    allowRedirection,
  ]);
}

function isToml(text: string): boolean {
  try {
    parse(text, {maxDepth: 64});
    return true;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return false;
  }
}

/** Writes a text to the first of `.bak`, `.bak2` … that is free. */
async function keepBroken(file: string, text: string, files: Pick<ConfigFiles, 'replace'>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.bak${number === 1 ? '' : number}`;
    if (await files.replace(backup, undefined, text)) return backup;
  }
}

function unwritable(path: string, reason: string): KernelError {
  return new KernelError('POLICY_UNWRITABLE', `The approval cannot be kept in ${path}: ${reason}.`, {
    hint: 'It holds for this session; correct the file to keep the next one.',
  });
}
