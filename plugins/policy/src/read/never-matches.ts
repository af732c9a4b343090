import type {Conditions, Rule} from '../rule.js';
import {matchesNothing} from './regex-fault.js';
import type {FieldName} from './rule-keys.js';
import {matchesName, SHELL} from './tool-names.js';

/** Why a rule can never match. */
export interface Contradiction {
  /** The key to point at. */
  readonly name: FieldName;
  /** To be read after "The rule can never match: ". */
  readonly reason: string;
}

type Given = Conditions & Pick<Rule, 'source'>;
type Check = (conditions: Given) => Contradiction | undefined;

const NO_TEXT = 'no text has anything before its beginning or after its end';

/** Finds two conditions that exclude each other, or one that nothing meets. */
export function findContradiction(conditions: Given): Contradiction | undefined {
  for (const check of CHECKS) {
    const found = check(conditions);
    if (found) return found;
  }
  return undefined;
}

const findEmpty: Check = (conditions) => {
  const empty = (['modes', 'effect', 'path', 'workspaceRoot'] as const).find((name) => conditions[name]?.length === 0);
  return empty && {name: empty, reason: `"${empty}" is an empty list`};
};

const findExcepted: Check = ({tools, except}) => {
  const isExcepted = (tool: string): boolean | undefined =>
    except?.some((pattern) => pattern === tool || (!tool.includes('*') && matchesName(pattern, tool)));
  return except && tools.every(isExcepted) ? {name: 'except', reason: '"except" leaves no tool over'} : undefined;
};

const findArgs: Check = ({args}) =>
  args !== undefined && matchesNothing(args) ? {name: 'argsPattern', reason: NO_TEXT} : undefined;

const findUntrusted: Check = ({modes, trusted, source}) => {
  if (trusted !== false) return undefined;
  if (modes?.every((mode) => mode === 'auto_edit' || mode === 'yolo'))
    return {name: 'trusted', reason: 'in a folder that is not trusted the mode is default or plan'};
  return source.tier === 'workspace'
    ? {name: 'trusted', reason: 'rules of a project count only where it is trusted'}
    : undefined;
};

const findCommand: Check = ({tools, command, effect}) => {
  if (!command) return undefined;
  const name = 'prefix' in command ? 'commandPrefix' : command.anchored ? 'commandRegex' : 'commandPattern';
  if ('pattern' in command && matchesNothing(command.pattern)) return {name, reason: NO_TEXT};
  if (!tools.some((tool) => matchesName(tool, SHELL))) return {name, reason: `only ${SHELL} runs commands`};
  return effect && !effect.includes('execute')
    ? {name: 'effect', reason: 'the effect of a command is execute'}
    : undefined;
};

/** In the order in which they are said. */
const CHECKS: readonly Check[] = [findEmpty, findExcepted, findArgs, findUntrusted, findCommand];
