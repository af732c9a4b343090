import type {FileUse, ShellAnalysis} from '../bash/analysis.js';
import {ANY, isOpen, isUnknown, leadOf, NAME} from '../bash/shape.js';
import {findFiles} from './find-files.js';
import {gitPathOf} from './git-folder.js';
import {judgeFile, place, type JudgedPart, type Work} from './judge-part.js';
import {strictness, type Finding} from './walk.js';

/** What files are judged with. */
export interface Files {
  readonly work: Work;
  readonly analysis: Pick<ShellAnalysis, 'files' | 'changes' | 'doubts'>;
  /** Whether a rule of the product lets one of the commands pass. */
  readonly cautious: boolean;
}

const NO_OBJECTION: Finding = {decision: 'allow', rule: undefined, isDoubtful: false, base: undefined};

/** Judges the files that a line names, and those that it may name. */
export async function judgeFiles({work, analysis, cautious}: Files): Promise<readonly JudgedPart[]> {
  const hidden = analysis.doubts
    .filter(({kind, showsFiles}) => kind !== 'unread' && !showsFiles)
    .flatMap(({text}) => hiddenUses(text));
  if (analysis.files.length + hidden.length === 0) return [];
  const uses = new Map(
    [...analysis.files, ...hidden].map((use) => [
      `${use.access} ${use.by} ${use.path} ${use.from?.shape} ${use.from?.folder}`,
      use,
    ]),
  );
  const all = [...uses.values()];
  const known = all.filter(({path, from}) => !isOpen(path) && !from);
  const real = await realOf(
    work,
    known.map(({path}) => path),
  );
  const parts = known.map((use) => judgeUse(work, use, {path: real.get(use.path) ?? use.path, cautious}));
  parts.push(
    ...(await judgeGitFolders(
      work,
      known.filter(({access}) => access === 'write').map(({path}) => real.get(path) ?? path),
    )),
  );
  for (const use of all) {
    if (use.from) parts.push(...(await judgeNamedAfter({work, analysis, cautious}, use)));
    else if (isOpen(use.path)) parts.push(...(await judgeOpen({work, analysis, cautious}, use)));
  }
  return parts;
}

/**
 * What a line writes into a folder that git would take for a repository, or makes one, counts as written into `.git`.
 */
async function judgeGitFolders(work: Work, written: readonly string[]): Promise<readonly JudgedPart[]> {
  const parts: JudgedPart[] = [];
  for (const path of written) {
    const inside = await gitPathOf(work.world.disk, path, written);
    if (inside !== undefined)
      parts.push({...judgeFile(work, place(inside, work.circumstances.roots), 'edit'), what: path});
  }
  return parts;
}

/** What nobody can read may read and write anything. */
function hiddenUses(text: string): readonly FileUse[] {
  const use = {raw: text, path: ANY, by: 'argument', isSplit: false, isLate: true} as const;
  return [
    {...use, access: 'read'},
    {...use, access: 'write'},
  ];
}

async function realOf({world}: Work, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map();
  return new Map((await world.realPaths(paths)).map((path, index) => [paths[index] as string, path]));
}

/**
 * A file of which the line leaves something open: those that are there are judged, and what could be there where nobody
 * can tell.
 */
async function judgeOpen({work, analysis, cautious}: Files, use: FileUse): Promise<readonly JudgedPart[]> {
  if (use.by === 'name') return [await judgeFolder({work, analysis, cautious}, use)];
  const shape = await narrowShape(work, use);
  if (shape === undefined) return [];
  const isListed = !shape.includes(ANY);
  const found = isListed
    ? await findFiles(shape, work.world.disk)
    : {paths: [], isComplete: false, isOdd: false, isDashed: false};
  const real = await realOf(work, found.paths);
  const strictest = found.paths
    .map((path) => judgeUse(work, {...use, path}, {path: real.get(path) ?? path, cautious}))
    .map((part) => (isUnknown(shape) ? soften(part) : part))
    .reduce<JudgedPart | undefined>(
      (a, b) => (a && strictness[a.finding.decision] >= strictness[b.finding.decision] ? a : b),
      undefined,
    );
  const parts = strictest ? [strictest] : [];
  if ((use.isSplit && found.isOdd) || found.isDashed)
    return [...parts, judgeUse(work, {...use, path: ANY}, {path: ANY, cautious})];
  // What the line itself makes is not there yet.
  if (isListed && found.isComplete && !use.isLate && !(use.access === 'write' && /[\uE005\uE007]/.test(shape)))
    return parts;
  return [...parts, judgeUse(work, {...use, path: shape}, {path: await realShape(work, shape), cautious})];
}

/** That it is among those that are read is likely, and not sure. */
function soften(part: JudgedPart): JudgedPart {
  return part.finding.decision === 'deny'
    ? {...part, finding: {...part.finding, decision: 'ask', isDoubtful: true}}
    : part;
}

/** Files that get their names from others, which are looked up. */
async function judgeNamedAfter(given: Files, use: FileUse): Promise<readonly JudgedPart[]> {
  const {from: {shape, folder} = {shape: ANY, folder: ''}, ...rest} = use;
  const found = await findFiles(shape, given.work.world.disk);
  const isKnown = found.isComplete && !use.isLate && !use.path.includes(ANY);
  if (!isKnown) return judgeOpen(given, {...rest, path: `${use.path}/${ANY}`, isLate: true});
  const paths = found.paths.map((path) => `${use.path}${path.slice(folder.length)}`);
  const real = await realOf(given.work, paths);
  const parts = paths.map((path) =>
    judgeUse(given.work, {...use, path}, {path: real.get(path) ?? path, cautious: given.cautious}),
  );
  return parts.filter(({finding}) => finding.decision !== 'allow').slice(0, 1);
}

/** Where a glob begins has to lie in the workspace. */
async function judgeFolder({work, cautious}: Files, use: FileUse): Promise<JudgedPart> {
  const lead = leadOf(use.path);
  const folder = lead.slice(0, lead.lastIndexOf('/')) || '/';
  const real = lead === '' ? folder : ((await work.world.realPaths([folder]))[0] ?? folder);
  const part = judgeUse(work, {...use, path: folder}, {path: real, cautious: cautious && lead !== ''});
  return {...part, finding: part.finding.rule ? NO_OBJECTION : part.finding};
}

/**
 * Narrows a shape by what is on disk: of names that begin as it does, none, or none that is a folder, leads elsewhere.
 * Undefined when there can be no such file; the hole for anything, when what it stands for can climb out of its folder.
 */
async function narrowShape({world}: Work, {path, access, isLate}: FileUse): Promise<string | undefined> {
  const at = path.indexOf(ANY);
  if (at < 0) return path;
  const lead = path.slice(0, at);
  const tail = path.slice(path.lastIndexOf(ANY));
  const begun = lead.slice(lead.lastIndexOf('/') + 1);
  if (lead === '' || isOpen(lead) || isLate) return tail;
  const entries = await world.disk.list(lead.slice(0, lead.length - begun.length - 1) || '/');
  if (!entries && access === 'read') return undefined;
  const matching = entries?.filter(({name}) => name.toLowerCase().startsWith(begun.toLowerCase())) ?? [];
  if (begun === '' || matching.some(({kind}) => kind !== 'file' && kind !== 'other')) return tail;
  if (access === 'read' && matching.length === 0) return undefined;
  return path.includes('/', at) ? (access === 'read' ? undefined : tail) : path.replaceAll(ANY, NAME);
}

/** A shape whose folder is real, as far as it is known. */
async function realShape({world}: Work, shape: string): Promise<string> {
  const lead = leadOf(shape);
  const at = lead.lastIndexOf('/');
  if (at < 0) return shape;
  const [real] = await world.realPaths([lead.slice(0, at) || '/']);
  return `${real === '/' ? '' : (real ?? lead.slice(0, at))}${shape.slice(at)}`;
}

function judgeUse(
  work: Work,
  {raw, access, by}: FileUse,
  {path, cautious}: {path: string; cautious: boolean},
): JudgedPart {
  const placed = place(path, work.circumstances.roots);
  const part = judgeFile(work, placed, access === 'write' ? 'edit' : 'read');
  const {decision} = part.finding;
  if (placed.isShape && decision !== 'allow')
    return {
      ...part,
      what: raw,
      reason:
        `Only running it would tell which file ${raw} is, and a rule about files may mean it ` +
        `(${part.finding.rule?.id ?? ''}).`,
    };
  const isOutside = placed.root === undefined && !placed.isShape;
  // The shell itself goes there or opens it; whatever else is named is the command's business, unless the product lets
  // that pass on its own.
  const counts = (by !== 'argument' && by !== 'name') || access === 'write' || cautious;
  const isLeftOpen = placed.isShape && (by === 'redirection' ? access === 'write' : cautious);
  if (decision !== 'allow' || work.circumstances.mode === 'yolo' || !counts || !(isOutside || isLeftOpen)) return part;
  const reason = isOutside ? `${path} is outside the workspace.` : `Only running it would tell which file ${raw} is.`;
  return {...part, what: isOutside ? part.what : raw, reason, finding: {...part.finding, decision: 'ask'}};
}
