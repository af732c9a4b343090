import type {ShellAnalysis, ShellPlace, ShellReader} from './analysis.js';
import {noteUse, remainingDoubts, type Flow} from './flow.js';
import {splitPlainLine} from './plain-line.js';
import {readText} from './read-text.js';
import {createRunCommand} from './run-command.js';
import {loadSecondReading, type SecondReading} from './second-reading.js';
import {shapeOf} from './shape.js';
import {noteComputedSettings} from './variables.js';
import {walkScript} from './walk-script.js';
import type {Outcome, Position, Walk} from './walk.js';

/** A grammar that is compiled stays in memory as long as the process lives, so there is one for everyone. */
const opened: {reader?: Promise<ShellReader>} = {};

/** Loads what reading shell lines takes, once; later callers are given the same reader. */
export function openShellReader(): Promise<ShellReader> {
  return (opened.reader ??= createReader());
}

async function createReader(): Promise<ShellReader> {
  const second = await loadSecondReading();
  const runCommand = createRunCommand();
  return {read: (line, place) => analyse(line, place, {second, runCommand})};
}

/** Loops are gone through more than once, and those within them again. */
const MOST_STEPS = 5_000;

interface Parts {
  readonly second: SecondReading;
  readonly runCommand: ReturnType<typeof createRunCommand>;
}

function analyse(line: string, place: ShellPlace, {second, runCommand}: Parts): ShellAnalysis {
  const walk = createWalk(place, {second, runCommand});
  const position: Position = {
    via: [],
    directories: [shapeOf(place.directory)],
    input: {kind: 'inherited'},
    isForeign: false,
    isHomeKnown: true,
  };
  const words = splitPlainLine(line);
  if (words) walk.run(words, position, line.trim());
  else walk.runText(line, position);
  // What runs in the background runs beside all that follows.
  const {commands, files, doubts, redirects, changes, isBeside, flow, functions} = walk;
  const used = isBeside ? files.map((file) => ({...file, isLate: changes})) : files;
  return {commands, files: used, redirects, changes, doubts: [...doubts, ...remainingDoubts(flow, functions)]};
}

function createWalk(place: ShellPlace, {second, runCommand}: Parts): Walk {
  const flow: Flow = {origins: new Map(), uses: []};
  const walk: Walk = {
    place,
    flow,
    commands: [],
    files: [],
    doubts: [],
    functions: new Set(),
    visited: new Set(),
    steps: MOST_STEPS,
    redirects: false,
    changes: false,
    makesFolders: false,
    makesLinks: false,
    isBeside: false,
    movesInFunction: false,
    variables: new Map(),
    everSet: new Set(),
    fixed: new Set(),
    globs: 'plain',
    hasOddSplits: false,
    readsWhole: undefined,
    isOpaque: false,
    read: (text, {isHomeKnown}) => readText(text, {home: isHomeKnown ? place.home : undefined, second}),
    run: (words, position, text) => runCommand(walk, words, position, text),
    runText: (text, position) => runText(walk, text, position),
  };
  return walk;
}

function runText(walk: Walk, text: string, position: Position): Outcome {
  const {script, doubts, functions, arithmetic, isBashOnly} = walk.read(text, position);
  walk.doubts.push(...doubts);
  for (const name of functions) walk.functions.add(name);
  for (const computed of arithmetic) {
    noteComputedSettings(walk, computed.text, position);
    noteUse(walk.flow, 'number', computed, {
      kind: 'dynamic',
      reason: 'It computes with a value from elsewhere, which could hold a command.',
      text: computed.text,
    });
  }
  if (position.isForeign && isBashOnly)
    walk.doubts.push({kind: 'unparsed', reason: 'Another shell than bash reads it, and otherwise.', text});
  return walkScript(walk, script, position);
}
