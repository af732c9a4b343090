import type {Environment} from '@gemini-kernel/kernel';
import {hostsOfEditor} from '../connection/host-of-editor.js';
import type {Discovery, FoundEditor, Ide, IdeCheck, IdeFault, IdeReason, IdeStatus} from '../contract.js';
import {faultOf} from '../faults.js';
import {describeEditor} from './examine-surroundings.js';
import {reachPort} from './reach-port.js';

export interface ConnectionParts {
  readonly ide: Pick<Ide, 'connect' | 'status' | 'ping'>;
  readonly environment: Pick<Environment, 'variables'>;
  readonly discovery: Discovery;
  readonly signal: AbortSignal;
}

/** The step that a reason belongs to. */
const STEPS: Readonly<Record<string, readonly IdeReason[]>> = {
  discovery: ['no-editor', 'no-discovery-file', 'discovery-file-unfit'],
  folders: ['no-roots', 'roots-disjoint', 'not-an-ancestor'],
  port: ['port-refused'],
  token: ['token-rejected'],
  protocol: ['no-answer', 'version-skew'],
};

/** The detail of the steps after one that failed. */
export const NOT_REACHED = 'Not checked: an earlier step failed.';

/** Connects, whatever the setting is, and reports each step. */
export async function examineConnection(parts: ConnectionParts): Promise<readonly IdeCheck[]> {
  const {ide, discovery, signal} = parts;
  const status = await ide.connect({anyway: true, signal});
  signal.throwIfAborted();
  const editor = status.editor ?? discovery.candidates[0];
  const fault =
    status.state === 'connected'
      ? undefined
      : (status.fault ?? discovery.fault ?? faultOf('no-answer', {detail: 'there was no answer in time'}));
  const failed = Object.keys(STEPS).findIndex((step) => fault && STEPS[step]?.includes(fault.reason));
  const checks: IdeCheck[] = [];
  for (const [index, step] of Object.keys(STEPS).entries()) {
    if (fault && index === failed) checks.push(failure(step, fault));
    else if (checks.some(({status: own}) => own === 'failed')) checks.push(notReached(step));
    else checks.push(await describeStep(step, {...parts, editor, status}));
  }
  if (failed < 0 && fault) return [...checks, failure('connection', fault)];
  return [
    ...checks,
    ...(status.state === 'connected'
      ? await examineCompanion(ide, status)
      : ['companion', 'tools', 'ping'].map(notReached)),
  ];
}

function failure(name: string, {reason, message, hint}: IdeFault): IdeCheck {
  return {name, status: 'failed', detail: message, reason, hint};
}

function notReached(name: string): IdeCheck {
  return {name, status: 'skipped', detail: NOT_REACHED};
}

interface Connected extends ConnectionParts {
  readonly editor: FoundEditor | undefined;
  readonly status: IdeStatus;
}

async function describeStep(
  name: string,
  {editor, discovery, status, environment, signal}: Connected,
): Promise<IdeCheck> {
  const passed = (detail: string): IdeCheck => ({name, status: 'passed', detail});
  if (!editor) return notReached(name);
  const {endpoint, file, source} = editor;
  if (name === 'discovery') {
    const more =
      discovery.candidates.length > 1 ? `${discovery.candidates.length} editors to try, the best first. ` : '';
    return passed(`${more}${editor.info.displayName} is named by ${file ?? 'the variables of this terminal'}.`);
  }
  if (name === 'folders') return passed(describeEditor(editor));
  if (name === 'port') return checkPort(editor, hostsOfEditor(environment, source), signal);
  // Before an answer in the protocol, it is unknown whether the token was accepted.
  if (name === 'token' && status.state !== 'connected')
    return {name, status: 'skipped', detail: 'It was neither accepted nor rejected.'};
  if (name === 'token')
    return passed(
      endpoint.kind === 'http' && endpoint.token === undefined
        ? 'The companion accepts gemini without a token.'
        : 'It is accepted.',
    );
  return passed('It speaks the protocol.');
}

async function checkPort(
  {endpoint, info}: FoundEditor,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<IdeCheck> {
  if (endpoint.kind === 'stdio')
    return {
      name: 'port',
      status: 'skipped',
      detail: `No port: gemini starts ${endpoint.command} and talks to it over stdio.`,
    };
  const reached = await reachPort(endpoint.port, hosts, signal);
  if ('ms' in reached)
    return {
      name: 'port',
      status: 'passed',
      detail: `${reached.host}:${endpoint.port} accepted a connection within ${reached.ms.toFixed(1)} ms.`,
    };
  const {message, ...rest} = faultOf('port-refused', {editor: info.displayName, port: endpoint.port});
  return failure('port', {...rest, message: `${message.replace(/\.$/, '')} (${reached.host}: ${reached.trouble}).`});
}

async function examineCompanion(
  ide: ConnectionParts['ide'],
  {server, canDiff, fault}: IdeStatus,
): Promise<readonly IdeCheck[]> {
  const pingMs = await ide.ping();
  const after = await ide.status();
  const missing = fault ?? faultOf('tools-missing');
  return [
    {name: 'companion', status: 'passed', detail: `It is ${server ?? 'a companion without a name'}.`},
    canDiff
      ? {name: 'tools', status: 'passed', detail: 'It can show changes: it has openDiff and closeDiff.'}
      : {name: 'tools', status: 'warning', detail: missing.message, reason: missing.reason, hint: missing.hint},
    pingMs === undefined
      ? failure('ping', after.fault ?? faultOf('lost'))
      : {name: 'ping', status: 'passed', detail: `It answered within ${pingMs.toFixed(1)} ms.`},
  ];
}
