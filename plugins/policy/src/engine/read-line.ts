import type {Touch} from '@gemini-kernel/kernel';
import type {Doubt, ShellAnalysis, SimpleCommand, Word} from '../bash/analysis.js';
import {isUnknown} from '../bash/shape.js';
import {RUNS_OTHERS} from '../read/risky-programs.js';
import {baseOf} from './command-match.js';
import type {World} from './judge-part.js';
import type {CommandSubject, LineSubject} from './line-subject.js';
import {changesOwnRules} from './own-commands.js';
import {readFiles} from './read-files.js';
import {findTreeWrites} from './tree-writes.js';

/** What a shell line comes to, before any rule is asked. */
export interface LineReading {
  readonly analysis: ShellAnalysis;
  /** In the order they are judged: commands come before the files that they name. */
  readonly subjects: readonly LineSubject[];
}

/** Reads a line into everything that is judged of it: what it runs, names and changes, and what is unknown. */
export async function readLine(world: World, line: Touch, directory: string): Promise<LineReading> {
  const analysis = await analyse(world, line, directory);
  const doubts = [...analysis.doubts, ...doubtInput(line, analysis)];
  const subjects: LineSubject[] = [
    {kind: 'line', text: line.value},
    ...readCommands(line, analysis),
    ...doubts.map((doubt) => ({kind: 'doubt', doubt}) as const),
    ...(analysis.redirects ? [{kind: 'redirection', text: line.value} as const] : []),
    ...(await readFiles(world, {files: analysis.files, doubts})),
    ...(await readChanges(world, analysis.commands)),
  ];
  return {analysis, subjects};
}

async function analyse(world: World, {value}: Touch, directory: string): Promise<ShellAnalysis> {
  const {platform, home, variables} = world;
  if (platform !== 'win32')
    return (await world.openShellReader()).read(value, {directory, home, ...(variables ? {variables} : {})});
  const reason = "Commands of this system's shell are not read.";
  return {commands: [], files: [], redirects: false, changes: true, doubts: [{kind: 'unread', reason, text: value}]};
}

/** A program that runs what it reads may be given anything to run. */
function doubtInput({hasInput = false, value}: Touch, {commands}: ShellAnalysis): readonly Doubt[] {
  const runsIt =
    hasInput &&
    commands.some(({words: [name]}) => name?.value === undefined || RUNS_OTHERS.includes(baseOf(name.value)));
  return runsIt ? [{kind: 'dynamic', reason: 'It may run what it is given to read.', text: value}] : [];
}

function readCommands({value}: Touch, {commands, doubts}: ShellAnalysis): readonly CommandSubject[] {
  if (commands.length > 0 || doubts.length > 0) return commands.map(readCommand);
  return [{kind: 'command', what: value, command: {text: value, words: []}}];
}

function readCommand({text, words, isStrange, unclear, git}: SimpleCommand): CommandSubject {
  const isOpen = unclear === undefined && !words.every(isClear);
  return {
    kind: 'command',
    what: text,
    command: {text, words, isStrange},
    unclear: isOpen ? 'Only running it would tell what it works on.' : unclear,
    git,
  };
}

/** Whether each text that a word may become is known, or a glob or a number that is no option that could be another. */
function isClear({value, shapes}: Word): boolean {
  return (
    value !== undefined || shapes?.every((shape) => !isUnknown(shape) && /^(?:[^-]|--[\w-]+=|$)/.test(shape)) === true
  );
}

/** The folders that a line changes as a whole, and our own program when the line runs it. */
async function readChanges(world: World, commands: readonly SimpleCommand[]): Promise<readonly LineSubject[]> {
  const own = commands.filter(changesOwnRules).map(({text}) => ({kind: 'own', text}) as const);
  const writes = commands.flatMap(findTreeWrites);
  if (writes.length === 0) return own;
  const real = await world.realPaths(writes.map(({path}) => path));
  // As written, too: a link is itself deleted, moved or replaced, not what it leads to.
  const changes = writes.flatMap(({path, reach}, index) =>
    [...new Set([path, real[index] ?? path])].map((one) => ({kind: 'change', path: one, what: path, reach}) as const),
  );
  return [...own, ...changes];
}
