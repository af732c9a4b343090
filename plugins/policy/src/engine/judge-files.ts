import type {FileUse} from '../bash/analysis.js';
import {effectOf, judgePath, place, type JudgedPart, type Work} from './judge-part.js';
import type {FilesSubject, FileSubject, FolderSubject} from './line-subject.js';
import type {PlacedPath} from './path-pattern.js';
import {strictness, type Finding} from './walk.js';

const NO_OBJECTION: Finding = {decision: 'allow', rule: undefined, isDoubtful: false, base: undefined};

/** Judges a file that a line names. `isCautious`: a rule of the product lets one of the commands pass. */
export function judgeFile(work: Work, {use, path}: Pick<FileSubject, 'use' | 'path'>, isCautious: boolean): JudgedPart {
  const placed = place(path, work.circumstances.roots);
  const part = judgePath(work, placed, effectOf(use));
  if (part.finding.decision !== 'allow') return placed.isShape ? sayPossible(part, use) : part;
  if (work.circumstances.mode === 'yolo' || !isOpenedByShell(use, isCautious)) return part;
  const finding: Finding = {...part.finding, decision: 'ask'};
  if (placed.root === undefined && !placed.isShape)
    return {...part, reason: `${path} is outside the workspace.`, finding};
  return isLeftOpen(placed, use, isCautious)
    ? {...part, what: use.raw, reason: `Only running it would tell which file ${use.raw} is.`, finding}
    : part;
}

function sayPossible(part: JudgedPart, {raw}: FileUse): JudgedPart {
  const reason =
    `Only running it would tell which file ${raw} is, and a rule about files may mean it ` +
    `(${part.finding.rule?.id ?? ''}).`;
  return {...part, what: raw, reason};
}

/**
 * Whether it counts where a file lies. The shell itself goes there or opens it; whatever else is named is the command's
 * business, unless the product lets that pass on its own.
 */
function isOpenedByShell({by, access}: FileUse, isCautious: boolean): boolean {
  return (by !== 'argument' && by !== 'name') || access === 'write' || isCautious;
}

function isLeftOpen({isShape}: PlacedPath, {by, access}: FileUse, isCautious: boolean): boolean {
  return isShape === true && (by === 'redirection' ? access === 'write' : isCautious);
}

/** Judges files of which one counts. */
export function judgeFiles(
  work: Work,
  {use, paths, counts, isLikely}: FilesSubject,
  isCautious: boolean,
): readonly JudgedPart[] {
  const parts = paths
    .map((path) => judgeFile(work, {use, path}, isCautious))
    .map((part) => (isLikely ? soften(part) : part));
  if (counts === 'objection') return parts.filter(({finding}) => finding.decision !== 'allow').slice(0, 1);
  return parts.slice(0, 1).map((first) => parts.reduce(stricterPart, first));
}

/** Of equals the first. */
function stricterPart(a: JudgedPart, b: JudgedPart): JudgedPart {
  return strictness[b.finding.decision] > strictness[a.finding.decision] ? b : a;
}

/** That it is among those that are read is likely, and not sure. */
function soften(part: JudgedPart): JudgedPart {
  return part.finding.decision === 'deny'
    ? {...part, finding: {...part.finding, decision: 'ask', isDoubtful: true}}
    : part;
}

/** Judges where a glob begins. */
export function judgeFolder(work: Work, {use, path, isNamed}: FolderSubject, isCautious: boolean): JudgedPart {
  const part = judgeFile(work, {use, path}, isCautious && isNamed);
  return {...part, finding: part.finding.rule ? NO_OBJECTION : part.finding};
}
