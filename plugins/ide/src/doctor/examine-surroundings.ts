import {basename} from 'node:path';
import type {Environment} from '@gemini-kernel/kernel';
import type {Discovery, FoundEditor, IdeCheck} from '../contract.js';
import {ownIdePid} from '../discovery/discover-editors.js';
import {portOfVariables} from '../discovery/editor-of-variables.js';
import {readAncestors} from '../discovery/read-ancestors.js';
import {faultOf} from '../faults.js';
import {variables as names} from '../protocol.js';

type Surroundings = Pick<Environment, 'cwd' | 'platform' | 'variables' | 'temporary'>;

/** How many files are listed one by one. */
const MOST_FILES = 20;

const OVERLAPS: Readonly<Record<FoundEditor['overlap'], string>> = {
  same: 'it has exactly this folder open',
  'inside-root': 'this folder is inside one that it has open',
  'holds-root': 'this folder contains one that it has open',
  disjoint: 'it has other folders open',
  'no-roots': 'it has no folder open',
  unknown: 'it does not list its open folders',
};

/** Whether the setting allows a conversation to connect. */
export function checkSetting(isEnabled: boolean): IdeCheck {
  if (isEnabled) return {name: 'setting', status: 'passed', detail: 'ide.enabled is on.'};
  const {reason, message, hint} = faultOf('disabled');
  return {name: 'setting', status: 'warning', detail: message, reason, hint};
}

/** The editor that the terminal reports. */
export function checkTerminal({detected}: Discovery): IdeCheck {
  return detected
    ? {name: 'terminal', status: 'passed', detail: `It belongs to ${detected.displayName}.`}
    : {
        name: 'terminal',
        status: 'skipped',
        detail:
          'No variable says that it belongs to an editor. You can still connect to an editor that has this folder ' +
          'open.',
      };
}

/** The variables that an editor sets in its terminals. The token is not shown. */
export function checkVariables({variables}: Surroundings): IdeCheck {
  const set = Object.values(names).filter((name) => variables[name]);
  const given = variables[names.port];
  if (given && portOfVariables(variables) === undefined) {
    return {
      name: 'variables',
      status: 'warning',
      detail: `${names.port} is ${JSON.stringify(given.slice(0, 20))}, which is not a port.`,
      hint: 'Open a new terminal in the editor.',
    };
  }
  const port = given ? ` (port ${given})` : '';
  return set.length === 0
    ? {name: 'variables', status: 'skipped', detail: 'This terminal has no variables of a companion.'}
    : {name: 'variables', status: 'passed', detail: `${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set${port}.`};
}

/** The processes above this one, and which of them companions should name. */
export async function checkAncestors(environment: Surroundings, signal: AbortSignal): Promise<IdeCheck> {
  const chain = await readAncestors(environment, signal);
  if (chain.length < 2)
    return {
      name: 'processes',
      status: 'warning',
      detail:
        'The system does not report the processes above this program, so gemini finds an editor by its folders and ' +
        'variables only.',
    };
  const above = chain
    .slice(1)
    .map(({pid, name}) => `${name} ${pid}`)
    .join(' < ');
  return {
    name: 'processes',
    status: 'passed',
    detail: `${above}. A companion of this terminal names process ${ownIdePid(chain, environment) ?? 'none'}.`,
  };
}

/** The result for each discovery file. */
export function checkFiles({candidates, others, unfit}: Discovery): readonly IdeCheck[] {
  const nameOf = (file: string): string => `file ${basename(file)}`;
  const tried = candidates.flatMap((editor): readonly IdeCheck[] =>
    editor.file === undefined ? [] : [{name: nameOf(editor.file), status: 'passed', detail: describeEditor(editor)}],
  );
  const passedBy = others.flatMap(({editor, fault: {reason, message, hint}}): readonly IdeCheck[] =>
    editor.file === undefined
      ? []
      : [{name: nameOf(editor.file), status: 'skipped', detail: `${describeEditor(editor)} ${message}`, reason, hint}],
  );
  const broken = unfit.map(({file, message}): IdeCheck => ({
    name: nameOf(file),
    status: 'warning',
    detail: `Cannot use it: ${message}.`,
    reason: 'discovery-file-unfit',
    hint: faultOf('discovery-file-unfit').hint,
  }));
  const all = [...tried, ...passedBy, ...broken];
  const rest = all.length - MOST_FILES;
  return rest > 0
    ? [...all.slice(0, MOST_FILES), {name: 'files', status: 'skipped', detail: `There are ${rest} more.`}]
    : all;
}

/** One editor in a sentence. */
export function describeEditor({info, pid, isAncestor, isAlive, endpoint, overlap, roots}: FoundEditor): string {
  const process =
    pid === undefined
      ? []
      : [`process ${pid}${isAlive ? '' : ', which is not here'}${isAncestor ? ', of this terminal' : ''}`];
  const place = endpoint.kind === 'http' ? `port ${endpoint.port}` : `command ${endpoint.command}`;
  const shown = `${roots.slice(0, 5).join(', ')}${roots.length > 5 ? ', …' : ''}`;
  const where = `${OVERLAPS[overlap]}${roots.length > 0 ? ` (${shown})` : ''}`;
  return `${info.displayName}, ${[...process, place].join(', ')}: ${where}.`;
}
