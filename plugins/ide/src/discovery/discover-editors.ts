import {realpathSync} from 'node:fs';
import type {Environment} from '@gemini-kernel/kernel';
import {isContained} from '../connection/host-of-editor.js';
import type {Discovery, FoundEditor, IdeFault} from '../contract.js';
import {faultOf} from '../faults.js';
import {variables as names, type IdeInfo} from '../protocol.js';
import type {Ancestor} from './ancestor.js';
import {compareRoots, realRoots, splitRoots} from './compare-roots.js';
import {detectEditor} from './detect-editor.js';
import {endpointOfVariables, portOfVariables, tokenOfVariables} from './editor-of-variables.js';
import {findForeignPort} from './find-foreign-port.js';
import {findIdePid} from './find-ide-pid.js';
import {byRank, rank, type Ranked} from './rank-editor.js';
import {readAncestors} from './read-ancestors.js';
import {readDiscoveryFiles, type DiscoveryFiles, type ReadDiscoveryFile} from './read-discovery-files.js';

interface Surroundings {
  readonly environment: Pick<Environment, 'cwd' | 'platform' | 'variables' | 'temporary'>;
  readonly signal: AbortSignal;
}

/** The facts before editors are compared. */
interface Seen {
  readonly environment: Surroundings['environment'];
  /** Real. */
  readonly cwd: string;
  readonly idePid: number | undefined;
  /** Ids of all processes above this one. */
  readonly above: ReadonlySet<number>;
  /** The token from the terminal's own editor. */
  readonly port: number | undefined;
  readonly detected: IdeInfo | undefined;
  readonly files: DiscoveryFiles;
}

const FITTING = new Set<FoundEditor['overlap']>(['same', 'inside-root', 'holds-root']);
const UNNAMED: IdeInfo = {name: 'unknown', displayName: 'The editor'};

/** Looks for editors with a companion: by files, by the processes above this one, by variables. Does not connect. */
export async function discoverEditors({environment, signal}: Surroundings): Promise<Discovery> {
  const {variables} = environment;
  const chain = await readAncestors(environment, signal);
  const seen = await withoutStale(see(environment, chain));
  // From a container or a remote shell, the editor's process is not visible.
  const isApart = isContained() || Boolean(variables['SSH_CONNECTION']);
  const ranked = [
    ...seen.files.found.flatMap((file) => rankFile(file, seen)),
    ...editorOfVariables(seen).map((editor) => rank(editor, seen, {isFirst: isApart})),
  ];
  const editors = ranked.sort(byRank).map(({editor}) => ({editor, fault: findFault(editor, seen)}));
  const candidates = editors.flatMap(({editor, fault}) => (fault ? [] : [editor]));
  const others = editors.flatMap(({editor, fault}) => (fault ? [{editor, fault}] : []));
  const fault = candidates.length > 0 ? undefined : whyNone(seen, others);
  return {
    candidates,
    others,
    unfit: seen.files.unfit,
    ...(seen.detected ? {detected: seen.detected} : {}),
    ...(fault ? {fault} : {}),
  };
}

/** The process that a companion of this terminal names: from the variable, or by its position above this process. */
export function ownIdePid(
  chain: readonly Ancestor[],
  {variables, platform}: Pick<Environment, 'variables' | 'platform'>,
): number | undefined {
  const given = Number(variables[names.pid]);
  return Number.isInteger(given) && given > 0 ? given : findIdePid(chain, platform);
}

function see(environment: Surroundings['environment'], chain: readonly Ancestor[]): Seen {
  const {variables} = environment;
  const [idePid, port] = [ownIdePid(chain, environment), portOfVariables(variables)];
  const above = new Set(chain.slice(1).map(({pid}) => pid));
  const pids = new Set([...above, ...(idePid === undefined ? [] : [idePid])]);
  return {
    environment,
    cwd: realOf(environment.cwd),
    idePid,
    above,
    port,
    detected: detectEditor(variables, chain),
    files: readDiscoveryFiles(environment, {pids, port}),
  };
}

/**
 * Files whose editor has ended are skipped, unless this terminal names the port, or the process is on another machine,
 * where it cannot be checked.
 */
async function withoutStale(seen: Seen): Promise<Seen> {
  const {found, unfit, folder} = seen.files;
  if (found.every(({isAlive}) => isAlive)) return seen;
  const marked = found.some(({isAlive, machine}) => !isAlive && machine !== undefined)
    ? await (await import('../companion/machine-mark.js')).machineMark()
    : undefined;
  const isStale = ({isAlive, machine, port}: ReadDiscoveryFile): boolean =>
    !isAlive && !(port !== undefined && port === seen.port) && (machine === undefined || machine === marked);
  const stale = found.filter(isStale).map(({file, pid}) => ({file, message: `its editor, process ${pid}, has ended`}));
  return {...seen, files: {folder, found: found.filter((file) => !isStale(file)), unfit: [...unfit, ...stale]}};
}

/** A companion that listens and can also be started is tried both ways, in that order. */
function rankFile(file: ReadDiscoveryFile, seen: Seen): readonly Ranked[] {
  const {stdio, port, ...said} = file;
  const first = rank(editorOfFile(file, seen), seen, {written: file.written});
  return stdio && port !== undefined
    ? [first, {...first, editor: {...editorOfFile({...said, stdio}, seen), isAncestor: first.editor.isAncestor}}]
    : [first];
}

function editorOfFile(
  {file, pid, isOlder, isAlive, port, stdio, token, info, workspacePath}: ReadDiscoveryFile,
  seen: Seen,
): FoundEditor {
  const isAncestor = pid === seen.idePid || seen.above.has(pid) || (port !== undefined && port === seen.port);
  const own = token ?? tokenOfVariables(seen.environment.variables);
  return {
    source: isOlder ? 'older-file' : 'file',
    file,
    pid,
    isAncestor,
    isAlive,
    ...placeOf(workspacePath, seen),
    info: info ?? (isAncestor ? seen.detected : undefined) ?? UNNAMED,
    endpoint: port === undefined ? stdioOf(stdio) : {kind: 'http', port, ...(own === undefined ? {} : {token: own})},
  };
}

function stdioOf(stdio: ReadDiscoveryFile['stdio']): FoundEditor['endpoint'] {
  return {kind: 'stdio', command: stdio?.command ?? '', args: stdio?.args ?? []};
}

/** What the variables name, unless the file of a running editor names the same with more detail. */
function editorOfVariables(seen: Seen): readonly FoundEditor[] {
  const {
    environment: {variables},
    files,
    detected,
  } = seen;
  const endpoint = endpointOfVariables(variables);
  const says = endpoint?.kind === 'http' ? endpoint : undefined;
  const isNamed =
    says &&
    files.found.some(
      ({port, token, isAlive}) => port === says.port && (isAlive || says.token === undefined || token === says.token),
    );
  if (!endpoint || isNamed) return [];
  return [
    {
      source: 'variables',
      isAncestor: true,
      isAlive: true,
      ...placeOf(variables[names.workspacePath], seen),
      info: detected ?? UNNAMED,
      endpoint,
    },
  ];
}

function placeOf(
  workspacePath: string | undefined,
  {environment: {platform}, cwd}: Seen,
): Pick<FoundEditor, 'roots' | 'overlap'> {
  if (workspacePath === undefined) return {roots: [], overlap: 'unknown'};
  const roots = realRoots(splitRoots(workspacePath, platform));
  return {roots, overlap: compareRoots(cwd, roots, platform)};
}

/** Why an editor is not tried; undefined when it is tried. */
function findFault(editor: FoundEditor, {cwd, environment: {platform}}: Seen): IdeFault | undefined {
  const {overlap, isAncestor, roots, info, endpoint} = editor;
  const facts = {editor: info.displayName, roots, cwd};
  // An editor that does not list its folders is tried only from its own terminals.
  if (FITTING.has(overlap) || (overlap === 'unknown' && isAncestor)) {
    // The port may belong to another user: a terminal outlives its editor, and a file can name a port that was never
    // its own.
    return endpoint.kind === 'http'
      ? findForeignPort({port: endpoint.port, editor: facts.editor, platform})
      : undefined;
  }
  if (overlap === 'no-roots') return faultOf('no-roots', facts);
  return faultOf(isAncestor ? 'roots-disjoint' : 'not-an-ancestor', facts);
}

/** A fault of this terminal's own editor is more relevant than one of another editor. */
function whyNone({detected, files, above, idePid}: Seen, others: Discovery['others']): IdeFault {
  const own = others.find(({editor}) => editor.isAncestor);
  if (own) return own.fault;
  const mine = new Set([idePid, ...above].map(String));
  const locked = files.unfit.find(({file}) => file === files.folder);
  if (locked)
    return {
      ...faultOf('discovery-file-unfit'),
      message: `Cannot use the folder of discovery files, ${locked.file}: ${locked.message}.`,
      hint: 'Fix its owner and mode, or remove it; then restart the editor.',
    };
  const broken = files.unfit.find(({file}) => mine.has(/gemini-ide-server-(\d+)[^\\/]*$/.exec(file)?.[1] ?? ''));
  if (broken) return faultOf('discovery-file-unfit', {file: broken.file, detail: broken.message});
  if (detected) return faultOf('no-discovery-file', {editor: detected.displayName, folder: files.folder});
  return others[0]?.fault ?? faultOf('no-editor');
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A directory that has been deleted is still the one that was meant.
    return path;
  }
}
