import {expandWord} from './expand-word.js';
import {noteOrigin} from './flow.js';
import {unique} from './shape.js';
import type {CompoundNode} from './syntax.js';
import {coversVariables, forgetVariables, mergeVariables, setVariable, type Variables} from './variable-values.js';
import {noteAssignment} from './variables.js';
import {either, walkScript, walkWords} from './walk-script.js';
import {
  mergeDirectories,
  NOWHERE_KNOWN,
  stay,
  type Directories,
  type Outcome,
  type Position,
  type Walk,
} from './walk.js';

/** Goes through a compound command. */
export function walkCompound(walk: Walk, node: CompoundNode, position: Position): Outcome {
  walkWords(walk, node.words, position);
  switch (node.kind) {
    case 'group':
      return walkScript(walk, node.bodies[0] ?? [], position);
    case 'subshell':
      return walkApart(walk, node, position);
    case 'function':
      return walkFunction(walk, node, position);
    case 'loop':
      return walkLoop(walk, node, position);
    default:
      return walkBodies(walk, node, position);
  }
}

function walkApart(walk: Walk, {bodies}: CompoundNode, position: Position): Outcome {
  const {variables} = walk;
  walkScript(walk, bodies[0] ?? [], position);
  walk.variables = variables;
  return stay(position);
}

/** What a function does when it is called, from an unknown place. */
function walkFunction(walk: Walk, {bodies, name = ''}: CompoundNode, position: Position): Outcome {
  const {variables, changes} = walk;
  forgetVariables(walk);
  // What ran before it is called is unknown too.
  walk.changes = true;
  walkScript(walk, bodies[0] ?? [], {
    ...position,
    via: [...position.via, `function ${name}`],
    directories: NOWHERE_KNOWN,
    input: {kind: 'open'},
  });
  walk.variables = variables;
  walk.changes = changes;
  return stay(position);
}

/** Any of the bodies may run, or none. */
function walkBodies(walk: Walk, {bodies, kind, name, words}: CompoundNode, position: Position): Outcome {
  let {directories} = position;
  // What `if` and `while` ask first is always run.
  const isAsking = bodies.length > 1 && name === undefined && (kind === 'loop' || words.length === 0);
  bodies.forEach((body, index) => {
    const before = walk.variables;
    directories = mergeDirectories(directories, either(walkScript(walk, body, {...position, directories})));
    if (index > 0 || !isAsking) walk.variables = mergeVariables(before, walk.variables);
  });
  return {success: directories, failure: directories};
}

interface Start {
  readonly directories: Directories;
  readonly variables: Variables['variables'];
}

/** A round may begin as the line does, or as a round ends. */
function walkLoop(walk: Walk, node: CompoundNode, position: Position): Outcome {
  const values = node.name === undefined ? [] : valuesOf(walk, node, position);
  const {commands, files, doubts, flow} = walk;
  const [c, f, d, u] = [commands.length, files.length, doubts.length, flow.uses.length];
  let {changes} = walk;
  let start: Start = {directories: position.directories, variables: walk.variables};
  for (let round = 0; ; round += 1) {
    walk.variables = start.variables;
    if (node.name !== undefined) takeValues(walk, node, {values, position});
    const {success} = walkBodies(walk, node, {...position, directories: start.directories});
    const next: Start = {
      directories: mergeDirectories(start.directories, success),
      variables: mergeVariables(start.variables, walk.variables),
    };
    const isChanged = walk.changes && !changes;
    changes = walk.changes;
    const isSettled =
      !isChanged &&
      coversVariables(start.variables, next.variables) &&
      next.directories.every((one) => start.directories.includes(one));
    walk.variables = next.variables;
    if (isSettled) return {success: next.directories, failure: next.directories};
    [commands.length, files.length, doubts.length, flow.uses.length] = [c, f, d, u];
    start = round < 2 ? next : {directories: NOWHERE_KNOWN, variables: new Map()};
  }
}

function valuesOf(walk: Walk, {words}: CompoundNode, position: Position): readonly string[] {
  return unique(words.flatMap((word) => expandWord(walk, word, position).shapes));
}

function takeValues(
  walk: Walk,
  node: CompoundNode,
  {values, position}: {values: readonly string[]; position: Position},
): void {
  const {name = '', words, text} = node;
  noteAssignment(walk, {name, value: undefined, raw: text, prefixOf: undefined}, position);
  for (const word of words) noteOrigin(walk.flow, name, word);
  setVariable(walk, name, values);
}
