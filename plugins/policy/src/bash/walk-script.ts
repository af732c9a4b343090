import {resolvePath} from './directories.js';
import {noteOrigin, noteUse} from './flow.js';
import type {AndOr, Assignment, CommandNode, CompoundNode, Pipeline, Redirect, Script, ShellWord, SimpleNode} from './syntax.js';
import {noteAssignment} from './variables.js';
import {doubt, mergeDirectories, stay, type Directory, type Outcome, type Position, type Walk} from './walk.js';

/** Goes through the commands of a script in order. */
export function walkScript(walk: Walk, script: Script, position: Position): Outcome {
  let outcome = stay(position);
  for (const andOr of script) outcome = walkAndOr(walk, andOr, {...position, directory: either(outcome)});
  return outcome;
}

function either({success, failure}: Outcome): Directory {
  return mergeDirectories(success, failure);
}

function walkAndOr(walk: Walk, {first, rest, isBackground}: AndOr, position: Position): Outcome {
  let outcome = walkPipeline(walk, first, position);
  for (const {operator, pipeline} of rest) {
    const {success, failure} = outcome;
    const next = walkPipeline(walk, pipeline, {...position, directory: operator === '&&' ? success : failure});
    outcome =
      operator === '&&'
        ? {success: next.success, failure: mergeDirectories(failure, next.failure)}
        : {success: mergeDirectories(success, next.success), failure: next.failure};
  }
  return isBackground ? stay(position) : outcome;
}

function walkPipeline(walk: Walk, pipeline: Pipeline, position: Position): Outcome {
  const [only, ...more] = pipeline;
  if (only && more.length === 0) return walkCommand(walk, only, position);
  pipeline.forEach((command, index) => walkCommand(walk, command, index === 0 ? position : {...position, input: {kind: 'open'}}));
  return stay(position);
}

function walkCommand(walk: Walk, command: CommandNode, position: Position): Outcome {
  const redirected = walkRedirects(walk, command.redirects, position);
  return command.kind === 'simple' ? walkSimple(walk, command, redirected) : walkCompound(walk, command, redirected);
}

function walkWords(walk: Walk, words: readonly ShellWord[], position: Position): void {
  for (const {scripts} of words) for (const {via, script} of scripts) walkScript(walk, script, {...position, via: [...position.via, via], input: {kind: 'open'}});
}

function walkSimple(walk: Walk, {assignments, arrays, words, text}: SimpleNode, position: Position): Outcome {
  for (const assignment of [...assignments, ...arrays]) walkAssignment(walk, assignment, {position, prefixOf: words[0]?.value});
  walkWords(walk, words, position);
  return words.length > 0 ? walk.run(words, position, text) : stay(position);
}

function walkAssignment(walk: Walk, {name, subscript, raw, values, isArray}: Assignment, {position, prefixOf}: {position: Position; prefixOf: string | undefined}): void {
  walkWords(walk, values, position);
  const [value] = values;
  noteAssignment(walk, {name, value: isArray ? undefined : value, raw, prefixOf}, position);
  if (subscript !== undefined) noteSubscript(walk, subscript, raw);
  for (const one of values) {
    // An element may name its place: [2]=x.
    const key = isArray ? /^\[([^]*?)\]\+?=/.exec(one.raw)?.[1] : undefined;
    if (key !== undefined) noteSubscript(walk, key, raw);
    noteOrigin(walk.flow, name, subscript !== undefined || key !== undefined ? undefined : one);
  }
}

function noteSubscript(walk: Walk, subscript: string, raw: string): void {
  const isWord = /^(?:"[\w .:/-]*"|'[\w .:/-]*'|[\w.:/@*-]*)$/.test(subscript);
  const isPlain = isWord || /^["]?(?:[\w\s+*/%-]|\$\w+|\$\{\w+\})*["]?$/.test(subscript);
  if (!isPlain) return doubt(walk, 'What is between the brackets may be run.', raw);
  const names = subscript.match(/[A-Za-z_]\w*/g) ?? [];
  noteUse(walk.flow, 'number', {names, isOpen: /\$\d/.test(subscript), scripts: []}, {kind: 'dynamic', reason: 'It computes with a value from elsewhere, which could hold a command.', text: raw});
}

function walkRedirects(walk: Walk, redirects: readonly Redirect[], position: Position): Position {
  let {input} = position;
  for (const {operator, raw, target} of redirects) {
    walkWords(walk, [target], position);
    const named = /^\{(\w+)\}/.exec(raw)?.[1];
    if (named !== undefined) noteAssignment(walk, {name: named, value: undefined, raw, prefixOf: undefined}, position);
    if (operator.startsWith('<<')) {
      walk.redirects = true;
      input = target.value === undefined ? {kind: 'open'} : {kind: 'text', text: target.value};
    } else if (!/&$/.test(operator) || !/^(?:\d+-?|-)$/.test(target.raw)) {
      if (operator.startsWith('<')) input = {kind: 'open'};
      if (target.value === '/dev/null') continue;
      walk.redirects = true;
      const path = target.value === undefined ? undefined : resolvePath(target.value, position.directory, walk.place);
      walk.files.push({raw, path, access: operator === '<' || operator === '<&' ? 'read' : 'write', by: 'redirection'});
    } else if (operator === '<&') input = {kind: 'open'};
  }
  return {...position, input};
}

function walkCompound(walk: Walk, node: CompoundNode, position: Position): Outcome {
  walkWords(walk, node.words, position);
  switch (node.kind) {
    case 'group':
      return walkScript(walk, node.bodies[0] ?? [], position);
    case 'subshell':
      walkScript(walk, node.bodies[0] ?? [], position);
      return stay(position);
    case 'function':
      walkScript(walk, node.bodies[0] ?? [], {...position, via: [...position.via, `function ${node.name ?? ''}`], directory: undefined, input: {kind: 'open'}});
      return stay(position);
    case 'loop':
      return walkLoop(walk, node, position);
    default:
      return walkBodies(walk, node, position);
  }
}

/** Any of the bodies may run, or none. */
function walkBodies(walk: Walk, {bodies}: CompoundNode, position: Position): Outcome {
  let {directory} = position;
  for (const body of bodies) directory = mergeDirectories(directory, either(walkScript(walk, body, {...position, directory})));
  return {success: directory, failure: directory};
}

function walkLoop(walk: Walk, node: CompoundNode, position: Position): Outcome {
  if (node.name !== undefined) {
    noteAssignment(walk, {name: node.name, value: undefined, raw: node.text, prefixOf: undefined}, position);
    for (const word of node.words) noteOrigin(walk.flow, node.name, word);
  }
  const {commands, files, doubts} = walk;
  const [c, f, d] = [commands.length, files.length, doubts.length];
  const outcome = walkBodies(walk, node, position);
  if (outcome.success === position.directory) return outcome;
  // It changes directory, so that its second round begins elsewhere than its first.
  [commands.length, files.length, doubts.length] = [c, f, d];
  return walkBodies(walk, node, {...position, directory: undefined});
}
