import type {Touch} from '@gemini-kernel/kernel';
import type {Doubt, ShellAnalysis} from '../bash/analysis.js';
import type {JudgedCommand} from './command-match.js';
import type {Subject} from './compile-rule.js';
import {judgeFile, judgeFiles, judgeFolder} from './judge-files.js';
import {findGitFault} from './judge-git.js';
import {askAbout, judgePath, judgeSubject, place, type JudgedPart, type Work} from './judge-part.js';
import {judgeChange} from './judge-tree.js';
import type {CommandSubject, LineSubject} from './line-subject.js';
import {readLine} from './read-line.js';
import {toStableJSON} from './stable-json.js';
import {walkRules} from './walk.js';

/** Unknown words before they run. */
const UNKNOWN = [{raw: '?', value: undefined}];

/** One pass over the subjects of a line, with what those judged so far mean for the next ones. */
interface Pass {
  readonly work: Work;
  readonly analysis: ShellAnalysis;
  /** A rule of the product lets a command pass, so that its files have to be known. */
  isCautious: boolean;
  /** The first command whose rule allows no redirection. */
  undirected?: JudgedPart;
}

/** Judges a shell line: each command that it can run, each file that it names, and what is unknown about it. */
export async function judgeLine(given: Work, line: Touch): Promise<readonly JudgedPart[]> {
  const {roots} = given.circumstances;
  const directory = line.directory ?? roots[0] ?? '/';
  const {analysis, subjects} = await readLine(given.world, line, directory);
  const work: Work = {...given, root: place(directory, roots).root};
  const pass: Pass = {work, analysis, isCautious: false};
  const parts: JudgedPart[] = [];
  for (const subject of subjects) parts.push(...(await judgeOne(pass, subject)));
  return parts;
}

function judgeOne(pass: Pass, subject: LineSubject): readonly JudgedPart[] | Promise<readonly JudgedPart[]> {
  const {work, isCautious} = pass;
  switch (subject.kind) {
    case 'line':
      return [judgeAsWhole(work, subject.text)];
    case 'command':
      return judgeCommand(pass, subject);
    case 'doubt':
      return [judgeDoubt(work, subject.doubt)];
    case 'redirection':
      return judgeRedirection(pass, subject.text);
    case 'file':
      return [judgeFile(work, subject, isCautious)];
    case 'files':
      return judgeFiles(work, subject, isCautious);
    case 'folder':
      return [judgeFolder(work, subject, isCautious)];
    case 'git file':
      return [{...judgePath(work, place(subject.path, work.circumstances.roots), 'edit'), what: subject.what}];
    case 'own':
      return [askAbout(subject.text, 'It runs gemini in a way that may change what gemini obeys.')];
    case 'change':
      return judgeChange(work, subject);
  }
}

/** Rules that restrict by a pattern also see the line as it was written. */
function judgeAsWhole(work: Work, line: string): JudgedPart {
  const subject = subjectOf(work, {text: line, words: undefined});
  return {what: line, finding: walkRules(work.selection.wholeLine, subject, 'allow', work.witness)};
}

async function judgeCommand(pass: Pass, subject: CommandSubject): Promise<readonly JudgedPart[]> {
  const {work} = pass;
  const finding = judgeSubject(work, subjectOf(work, subject.command));
  const passed: JudgedPart = {what: subject.what, finding, isCommand: true, command: subject.command};
  const fault = isOfProduct(passed) ? await findFault(pass, subject) : undefined;
  const part = fault === undefined ? passed : refuseUnasked(work, passed, fault);
  pass.isCautious ||= isOfProduct(part);
  const {decision, base} = part.finding;
  if (decision === 'allow' && base?.allowRedirection === false) pass.undirected ??= part;
  return [part];
}

/** Why something about a command is open: git does what it is let do only where the repository cannot add to it. */
async function findFault({work, analysis}: Pass, {unclear, git}: CommandSubject): Promise<string | undefined> {
  if (unclear !== undefined || !git) return unclear;
  return findGitFault(work, git, analysis);
}

/** Whether only a rule of the product about commands lets a part pass: it does so when nothing about it is open. */
function isOfProduct({finding: {decision, base}}: JudgedPart): boolean {
  return decision === 'allow' && base?.source.tier === 'default' && base.command !== undefined;
}

function refuseUnasked({circumstances}: Work, part: JudgedPart, reason: string): JudgedPart {
  return {...part, reason, finding: {...part.finding, decision: circumstances.interactive ? 'ask' : 'deny'}};
}

/** What is unknown counts as a command of any name; a line that cannot even be read is asked, but in yolo mode. */
function judgeDoubt(work: Work, {kind, reason, text}: Doubt): JudgedPart {
  const finding = judgeSubject(work, subjectOf(work, {text, words: UNKNOWN}));
  const isAsked = kind !== 'dynamic' && finding.decision === 'allow' && work.circumstances.mode !== 'yolo';
  return {what: text, reason, finding: isAsked ? {...finding, decision: 'ask'} : finding, isCommand: true};
}

function judgeRedirection({work, undirected}: Pass, line: string): readonly JudgedPart[] {
  const {mode} = work.circumstances;
  if (!undirected || mode === 'yolo' || mode === 'auto_edit') return [];
  const {finding} = undirected;
  const reason = `It redirects to or from a file, which the rule ${finding.base?.id ?? ''} does not allow.`;
  return [{what: line, finding: {...finding, decision: 'ask'}, reason}];
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
