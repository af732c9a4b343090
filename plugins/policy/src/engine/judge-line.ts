import type {Touch} from '@gemini-kernel/kernel';
import type {Doubt, GitUse, ShellAnalysis, SimpleCommand, Word} from '../bash/analysis.js';
import {isUnknown} from '../bash/shape.js';
import {RUNS_OTHERS} from '../read/command-tables.js';
import {baseOf, type JudgedCommand} from './command-match.js';
import type {Subject} from './compile-rule.js';
import {judgeFiles} from './judge-files.js';
import {findGitFault} from './judge-git.js';
import {judgeSubject, place, type JudgedPart, type Work} from './judge-part.js';
import {judgeTrees} from './judge-tree.js';
import {toStableJSON} from './stable-json.js';
import {walkRules, type Finding} from './walk.js';

/** Words that nobody knows before they run. */
const UNKNOWN = [{raw: '?', value: undefined}];

/** Judges a shell line: each command that it can run, each file that it names, and what nobody can tell of it. */
export async function judgeLine(given: Work, line: Touch): Promise<readonly JudgedPart[]> {
  const {world, circumstances} = given;
  const directory = line.directory ?? circumstances.roots[0] ?? '/';
  const work: Work = {...given, root: place(directory, circumstances.roots).root};
  const analysis: ShellAnalysis =
    world.platform === 'win32'
      ? {
          commands: [],
          files: [],
          redirects: false,
          changes: true,
          doubts: [{kind: 'unread', reason: "Commands of this system's shell are not read.", text: line.value}],
        }
      : (await world.openShellReader()).read(line.value, {
          directory,
          home: world.home,
          ...(world.variables ? {variables: world.variables} : {}),
        });
  const commands: JudgedPart[] = [];
  for (const command of analysis.commands) {
    const part = judgeCommand(work, command);
    commands.push(command.git ? await judgeGit(work, command.git, {part, analysis}) : part);
  }
  if (commands.length === 0 && analysis.doubts.length === 0)
    commands.push(judgeWords(work, {text: line.value, words: []}, line.value));
  const open = [...analysis.doubts, ...doubtInput(line, analysis)];
  const doubts = open.map(({kind, reason, text}) => judgeDoubt(work, {isUnparsed: kind !== 'dynamic', reason, text}));
  const cautious = commands.some((part) => beCautious(work, part, '') !== part);
  const files = await judgeFiles({work, analysis: {...analysis, doubts: open}, cautious});
  const trees = await judgeTrees(work, analysis.commands);
  return [
    judgeAsWhole(work, line.value),
    ...commands,
    ...doubts,
    ...judgeRedirections(work, line.value, analysis, commands),
    ...files,
    ...trees,
  ];
}

/** A program that runs what it reads may be given anything to run. */
function doubtInput({hasInput = false, value}: Touch, {commands}: ShellAnalysis): readonly Doubt[] {
  const runsIt =
    hasInput &&
    commands.some(({words: [name]}) => name?.value === undefined || RUNS_OTHERS.includes(baseOf(name.value)));
  return runsIt ? [{kind: 'dynamic', reason: 'It may run what it is given to read.', text: value}] : [];
}

/** What the product lets git do it does only where the repository cannot make it do more. */
async function judgeGit(
  work: Work,
  git: GitUse,
  {part, analysis}: {part: JudgedPart; analysis: ShellAnalysis},
): Promise<JudgedPart> {
  if (beCautious(work, part, '') === part) return part;
  const fault = await findGitFault(work, git, analysis);
  return fault === undefined ? part : beCautious(work, part, fault);
}

function judgeCommand(work: Work, command: SimpleCommand): JudgedPart {
  const part = judgeWords(work, {text: command.text, words: command.words, isStrange: command.isStrange}, command.text);
  if (command.unclear !== undefined) return beCautious(work, part, command.unclear);
  return command.words.every(isClear) ? part : beCautious(work, part, 'Only running it would tell what it works on.');
}

/** Whether each text that a word may become is known, or a glob or a number that is no option that could be another. */
function isClear({value, shapes}: Word): boolean {
  return (
    value !== undefined || shapes?.every((shape) => !isUnknown(shape) && /^(?:[^-]|--[\w-]+=|$)/.test(shape)) === true
  );
}

function judgeWords(work: Work, command: JudgedCommand, what: string): JudgedPart {
  return {what, finding: judgeSubject(work, subjectOf(work, command))};
}

function subjectOf({call, root}: Work, command: JudgedCommand): Subject {
  let json: string | undefined;
  return {
    effect: call.effect,
    command,
    root,
    get json() {
      return (json ??= toStableJSON({...(call.input as object), command: command.text}));
    },
  };
}

/** What the product itself lets pass unasked, it does only when nothing about the command is open. */
function beCautious({circumstances}: Work, part: JudgedPart, reason: string): JudgedPart {
  const {decision, base} = part.finding;
  if (decision !== 'allow' || base?.source.tier !== 'default' || !base.command) return part;
  return {...part, reason, finding: {...part.finding, decision: circumstances.interactive ? 'ask' : 'deny'}};
}

/** Rules that restrict by a pattern also see the line as it was written. */
function judgeAsWhole(work: Work, line: string): JudgedPart {
  return {
    what: line,
    finding: walkRules(
      work.selection.wholeLine,
      subjectOf(work, {text: line, words: undefined}),
      'allow',
      work.witness,
    ),
  };
}

/** What cannot be told counts as a command of any name; a line that cannot even be read is asked, but in yolo mode. */
function judgeDoubt(
  work: Work,
  {isUnparsed, reason, text}: {isUnparsed: boolean; reason: string; text: string},
): JudgedPart {
  const finding = judgeSubject(work, subjectOf(work, {text, words: UNKNOWN}));
  const isAsked = isUnparsed && finding.decision === 'allow' && work.circumstances.mode !== 'yolo';
  return {what: text, reason, finding: isAsked ? {...finding, decision: 'ask'} : finding};
}

function judgeRedirections(
  {circumstances: {mode}}: Work,
  line: string,
  {redirects}: ShellAnalysis,
  commands: readonly JudgedPart[],
): readonly JudgedPart[] {
  if (!redirects || mode === 'yolo' || mode === 'auto_edit') return [];
  const strict = commands.find(({finding}) => finding.decision === 'allow' && finding.base?.allowRedirection === false);
  if (!strict) return [];
  const finding: Finding = {...strict.finding, decision: 'ask'};
  return [
    {
      what: line,
      finding,
      reason: `It redirects to or from a file, which the rule ${strict.finding.base?.id ?? ''} does not allow.`,
    },
  ];
}
