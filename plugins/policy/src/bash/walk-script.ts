import {expandText, expandWord} from './expand-word.js';
import {noteOrigin, noteUse} from './flow.js';
import {noteFiles} from './note-files.js';
import {printedBy} from './printed.js';
import {ANY, unique} from './shape.js';
import type {AndOr, Assignment, CommandNode, Pipeline, Redirect, Script, ShellWord, SimpleNode} from './syntax.js';
import {mergeVariables, setVariable} from './variable-values.js';
import {noteAssignment} from './variables.js';
import {walkCompound} from './walk-compound.js';
import {doubt, mergeDirectories, stay, type Directories, type Outcome, type Position, type Walk} from './walk.js';

/** Goes through the commands of a script in order. */
export function walkScript(walk: Walk, script: Script, position: Position): Outcome {
  let outcome = stay(position);
  for (const andOr of script) outcome = walkAndOr(walk, andOr, {...position, directories: either(outcome)});
  return outcome;
}

/** Where the shell is, whether it went well or not. */
export function either({success, failure}: Outcome): Directories {
  return mergeDirectories(success, failure);
}

function walkAndOr(walk: Walk, {first, rest, isBackground}: AndOr, position: Position): Outcome {
  const {variables} = walk;
  let outcome = walkPipeline(walk, first, position);
  for (const {operator, pipeline} of rest) {
    const {success, failure} = outcome;
    const before = walk.variables;
    const next = walkPipeline(walk, pipeline, {...position, directories: operator === '&&' ? success : failure});
    walk.variables = mergeVariables(before, walk.variables);
    outcome =
      operator === '&&'
        ? {success: next.success, failure: mergeDirectories(failure, next.failure)}
        : {success: mergeDirectories(success, next.success), failure: next.failure};
  }
  if (!isBackground) return outcome;
  walk.isBeside = true;
  walk.variables = variables;
  return stay(position);
}

const TAKING_LINES = /^(?:xargs|read|mapfile|readarray|sudo|env|time|command|nice|timeout)$/;

function walkPipeline(walk: Walk, pipeline: Pipeline, position: Position): Outcome {
  const [only, ...more] = pipeline;
  if (only && more.length === 0) return walkCommand(walk, only, position);
  const {variables, changes} = walk;
  const first = walk.files.length;
  // Only some do with lines what is of interest here.
  const isHanded = more.some((node) => node.kind !== 'simple' || TAKING_LINES.test(node.words[0]?.value ?? 'xargs'));
  let printed: ReturnType<typeof printedBy> | undefined;
  pipeline.forEach((command, index) => {
    walk.variables = variables;
    walkCommand(
      walk,
      command,
      index === 0 ? position : {...position, input: {kind: 'open', lines: printed?.shapes ?? [ANY]}},
    );
    walk.variables = variables;
    if (isHanded) printed = printedBy(walk, command, {position, input: printed});
  });
  if (walk.changes && !changes)
    walk.files.splice(first, Infinity, ...walk.files.slice(first).map((file) => ({...file, isLate: true})));
  return stay(position);
}

function walkCommand(walk: Walk, command: CommandNode, position: Position): Outcome {
  const redirected = walkRedirects(walk, command.redirects, position);
  return command.kind === 'simple' ? walkSimple(walk, command, redirected) : walkCompound(walk, command, redirected);
}

/** Goes through what words run to find their values, each in a shell of its own. */
export function walkWords(walk: Walk, words: readonly ShellWord[], position: Position): void {
  const {variables} = walk;
  for (const {scripts} of words) {
    for (const {via, script} of scripts) {
      walkScript(walk, script, {...position, via: [...position.via, via], input: {kind: 'open'}});
      walk.variables = variables;
    }
  }
}

function walkSimple(walk: Walk, {assignments, arrays, words, text}: SimpleNode, position: Position): Outcome {
  const before = walk.variables;
  walkWords(walk, words, position);
  for (const assignment of [...assignments, ...arrays])
    walkAssignment(walk, assignment, {position, prefixOf: words[0]?.value});
  if (words.length === 0) return stay(position);
  if (assignments.length === 0) return walk.run(words, position, text);
  // They hold for what the command runs, and not for its own words; afterwards they are what they were.
  const during = walk.variables;
  walk.variables = mergeVariables(before, during);
  const outcome = walk.run(words, position, text);
  walk.variables = mergeVariables(before, walk.variables);
  return outcome;
}

interface Place {
  readonly position: Position;
  readonly prefixOf: string | undefined;
}

function walkAssignment(walk: Walk, assignment: Assignment, {position, prefixOf}: Place): void {
  const {name, subscript, raw, values, isArray} = assignment;
  walkWords(walk, values, position);
  const texts = values.flatMap((one) =>
    isArray ? expandWord(walk, one, position).shapes : expandText(walk, one, position),
  );
  const known = walk.variables.get(name);
  noteAssignment(walk, {name, value: isArray ? undefined : values[0], raw, prefixOf}, position);
  if (subscript !== undefined) noteSubscript(walk, subscript, raw);
  for (const one of values) noteValue(walk, one, assignment);
  if (name === 'IFS' && prefixOf === 'read') walk.readsWhole = texts.every((text) => text === '');
  else if (subscript !== undefined) setVariable(walk, name);
  else setVariable(walk, name, valuesAfter(assignment, known, unique(texts)));
}

/** Notes where a value comes from. An element may name its place: [2]=x. */
function noteValue(walk: Walk, value: ShellWord, {name, subscript, raw, isArray}: Assignment): void {
  const key = isArray ? /^\[([^]*?)\]\+?=/.exec(value.raw)?.[1] : undefined;
  if (key !== undefined) noteSubscript(walk, key, raw);
  noteOrigin(walk.flow, name, subscript !== undefined || key !== undefined ? undefined : value);
}

/** What a variable may hold after an assignment, given what it held before. */
function valuesAfter(
  {raw, isArray}: Assignment,
  known: readonly string[] | undefined,
  next: readonly string[],
): readonly string[] | undefined {
  if (!/^\w+\+=/.test(raw)) return next.length > 0 ? next : [''];
  if (isArray) return known && [...known, ...next];
  return known && unique(known.flatMap((head) => next.map((tail) => head + tail)));
}

function noteSubscript(walk: Walk, subscript: string, raw: string): void {
  const isWord = /^(?:"[\w .:/-]*"|'[\w .:/-]*'|[\w.:/@*-]*)$/.test(subscript);
  const isPlain = isWord || /^["]?(?:[\w\s+*/%-]|\$\w+|\$\{\w+\})*["]?$/.test(subscript);
  if (!isPlain) return doubt(walk, 'What is between the brackets may be run.', raw);
  const names = subscript.match(/[A-Za-z_]\w*/g) ?? [];
  const use = {names, isOpen: /\$\d/.test(subscript), scripts: []};
  noteUse(walk.flow, 'number', use, {
    kind: 'dynamic',
    reason: 'It computes with a value from elsewhere, which could hold a command.',
    text: raw,
  });
}

function walkRedirects(walk: Walk, redirects: readonly Redirect[], position: Position): Position {
  let {input} = position;
  for (const redirect of redirects) {
    const {raw, target} = redirect;
    walkWords(walk, [target], position);
    const named = /^\{(\w+)\}/.exec(raw)?.[1];
    if (named !== undefined) noteAssignment(walk, {name: named, value: undefined, raw, prefixOf: undefined}, position);
    input = walkRedirect(walk, redirect, position) ?? input;
  }
  return {...position, input};
}

/** Goes through one redirection. Returns what the command reads then; undefined when that stays as it is. */
function walkRedirect(walk: Walk, {operator, target}: Redirect, position: Position): Position['input'] | undefined {
  if (operator.startsWith('<<')) {
    walk.redirects = true;
    if (target.value !== undefined) return {kind: 'text', text: target.value};
    return {kind: 'open', lines: linesOf(walk, operator, {target, position})};
  }
  const isJoined = operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.raw);
  if (!isJoined && target.value !== '/dev/null') {
    walk.redirects = true;
    const access = operator === '<' || operator === '<&' ? 'read' : 'write';
    noteFiles(walk, target, {position, access, by: 'redirection'});
  }
  const reads = isJoined ? operator === '<&' : operator.startsWith('<');
  return reads ? {kind: 'open'} : undefined;
}

/** The lines of a here-string, of which there is one for each text it may be. */
function linesOf(
  walk: Walk,
  operator: string,
  {target, position}: {target: ShellWord; position: Position},
): readonly string[] {
  return operator === '<<<' ? expandText(walk, target, position) : [ANY];
}
