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

/** Finds two conditions that exclude each other, or one that nothing meets. */
export function findContradiction(conditions: Conditions & Pick<Rule, 'source'>): Contradiction | undefined {
  const {tools, except, command, args, effect, modes, trusted, source} = conditions;
  const empty = (['modes', 'effect', 'path', 'workspaceRoot'] as const).find((name) => conditions[name]?.length === 0);
  if (empty) return {name: empty, reason: `"${empty}" is an empty list`};
  if (
    except &&
    tools.every((tool) =>
      except.some((pattern) => pattern === tool || (!tool.includes('*') && matchesName(pattern, tool))),
    )
  ) {
    return {name: 'except', reason: '"except" leaves no tool over'};
  }
  if (args !== undefined && matchesNothing(args))
    return {name: 'argsPattern', reason: 'no text has anything before its beginning or after its end'};
  if (trusted === false && modes?.every((mode) => mode === 'auto_edit' || mode === 'yolo'))
    return {name: 'trusted', reason: 'in a folder that is not trusted the mode is default or plan'};
  if (trusted === false && source.tier === 'workspace')
    return {name: 'trusted', reason: 'rules of a project count only where it is trusted'};
  if (!command) return undefined;
  const name = 'prefix' in command ? 'commandPrefix' : command.anchored ? 'commandRegex' : 'commandPattern';
  if ('pattern' in command && matchesNothing(command.pattern))
    return {name, reason: 'no text has anything before its beginning or after its end'};
  if (!tools.some((tool) => matchesName(tool, SHELL))) return {name, reason: `only ${SHELL} runs commands`};
  return effect && !effect.includes('execute')
    ? {name: 'effect', reason: 'the effect of a command is execute'}
    : undefined;
}
