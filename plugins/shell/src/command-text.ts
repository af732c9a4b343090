import {constants} from 'node:os';
import {markForeign} from '@gemini-kernel/kernel';
import type {
  BackgroundProcess,
  CommandEnd,
  FinishedCommand,
  RefusedPath,
  ShownOutput,
  StartedCommand,
} from './contract.js';

const MINUTE_MS = 60_000;
/** What shells give for SIGKILL. */
const KILLED = 137;
const HOSTS = 'tools.sandboxAllowedHosts';
const PATHS = 'tools.sandboxAllowedPaths';
const REFUSED =
  'by the sandbox; additional_permissions with hosts asks for them, and the user can grant them with the setting ' +
  `${HOSTS}, or with sandbox = {network = [...]} in a rule`;
const UNWRITTEN =
  'by the sandbox; additional_permissions with fileSystem.write asks for them, and the user can grant them with the ' +
  `setting ${PATHS}, or with sandbox = {write = [...]} in a rule`;

/** The text for the model about a finished command. */
export function finishedText(finished: FinishedCommand): string {
  const {output, exitCode, signal, survivors, pid, missed, refusedHosts, refusedPaths = []} = finished;
  const lines = [
    noticeOf(finished),
    `Output: ${textOf(output)}`,
    exitCode !== null && exitCode !== 0 ? `Exit Code: ${exitCode}` : '',
    signal ? `Signal: ${constants.signals[signal]} (${signal})` : '',
    ...endLines(finished),
    missed.length > 0
      ? `Withheld Variables: ${missed.join(', ')} (secret; the user can allow them with the setting ` +
        'security.environmentVariableRedaction.allowed)'
      : '',
    refusedHosts ? `Refused Hosts: ${refusedHosts.join(', ')} (${REFUSED})` : '',
    ...pathLines(refusedPaths),
    survivors.length > 0 ? `Background PIDs: ${survivors.join(', ')}` : '',
    `Process Group PGID: ${pid}`,
  ];
  return markForeign(lines.filter((line) => line !== '').join('\n'));
}

/** What may have ended it, where it ended badly. */
function endLines({by, exitCode, signal, memoryLimit}: FinishedCommand): readonly string[] {
  if (exitCode === 0 || by !== 'itself') return [];
  return [
    signal === 'SIGKILL' || exitCode === KILLED
      ? 'Killed: by SIGKILL, and not by gemini; the system does that when memory runs out'
      : '',
    memoryLimit === undefined
      ? ''
      : `Memory Limit: ${memoryLimit} MB for each process (setting tools.sandboxMemory, or a rule)`,
  ];
}

/** Those that can be granted in one line, and each other one with its reason. */
function pathLines(refused: readonly RefusedPath[]): readonly string[] {
  const open = refused.filter(({fault}) => fault === undefined).map(({path}) => path);
  return [
    open.length > 0 ? `Unwritable Paths: ${open.join(', ')} (${UNWRITTEN})` : '',
    ...refused.flatMap(({path, fault}) => (fault === undefined ? [] : [`Refused Path: ${path} (${fault})`])),
  ];
}

/** The text for the model about a command that continues in the background. */
export function startedText({pid, output}: StartedCommand): string {
  return markForeign(`Command is running in background. PID: ${pid}. Initial output:\n${textOf(output)}`);
}

/** The text for the model with the last output of a background process. */
export function backgroundText(process: BackgroundProcess & {readonly output: ShownOutput}): string {
  const {output, pid} = process;
  const left = output.omittedBytes > 0 ? ` (after ${output.omittedLines} earlier lines)` : '';
  return markForeign(`PID ${pid} ${stateOf(process)}. Last output${left}:\n${textOf(output)}`);
}

/** One line on a background process. */
export function backgroundLine(process: BackgroundProcess): string {
  return (
    `- [PID ${process.pid}] ${process.end ? 'EXITED' : 'RUNNING'}: ` +
    `\`${process.command}\`${process.end ? ` (${endOf(process.end)})` : ''}`
  );
}

/** The result of a finished command, for programs. */
export function finishedData(finished: FinishedCommand): Record<string, unknown> {
  const {output, ...rest} = finished;
  const {text: _, ...amounts} = output;
  const remarks = [causeOf(finished), ...refusalsOf(finished)].filter((one) => one !== '');
  return {...rest, ...amounts, ...(remarks.length > 0 ? {remarks} : {})};
}

/** The result of a command that continues in the background, for programs. */
export function startedData({pid, isRunning}: StartedCommand): Record<string, unknown> {
  return {pid, isRunning, remarks: [startedDisplay(pid)]};
}

/** The text for a person about a command that continues in the background. */
export function startedDisplay(pid: number): string {
  return `Running in the background as process ${pid}.`;
}

/** The text for a person about a finished command. */
export function finishedDisplay(finished: FinishedCommand): string {
  const {output, exitCode} = finished;
  const end = exitCode === 0 ? '' : `(${endOf(finished)})`;
  const parts = [noticeOf(finished), output.text.trimEnd(), ...refusalsOf(finished), end];
  return parts.filter((part) => part !== '').join('\n') || '(no output)';
}

/** What the sandbox kept a command from, for a person. */
function refusalsOf({refusedHosts, refusedPaths = []}: FinishedCommand): readonly string[] {
  const paths = refusedPaths.map(({path, fault}) =>
    fault === undefined
      ? `(The sandbox kept it from writing ${path}: ${PATHS} grants paths.)`
      : `(The sandbox kept it from writing ${path}: ${fault}.)`,
  );
  if (!refusedHosts) return paths;
  return [`(The sandbox kept it from ${refusedHosts.join(', ')}: ${HOSTS} grants hosts.)`, ...paths];
}

/** How a command ended, in a few words. */
export function endText(end: CommandEnd | undefined): string {
  return end ? endOf(end) : 'running';
}

function stateOf({end}: BackgroundProcess): string {
  return end ? `EXITED (${endOf(end)})` : 'RUNNING';
}

function endOf({exitCode, signal}: Pick<CommandEnd, 'exitCode' | 'signal'>): string {
  return exitCode === null ? `Signal: ${signal ?? 'unknown'}` : `Exit Code: ${exitCode}`;
}

function noticeOf(finished: FinishedCommand): string {
  const {by} = finished;
  const cause = causeOf(finished);
  if (by === 'inactivity') {
    return (
      `${cause} If it waits for input, pass stdin; if it is a server, use is_background. ` +
      'Its output until then follows.'
    );
  }
  return by === 'timeout' ? `${cause} Set timeout_ms, or use is_background. Its output until then follows.` : cause;
}

/** What ended a command, if that was not the command itself. */
function causeOf({by, limits}: FinishedCommand): string {
  const cancelled = 'Command was automatically cancelled because it';
  if (by === 'inactivity') return `${cancelled} printed nothing for ${duration(limits.inactivityMs)}.`;
  if (by === 'timeout') return `${cancelled} ran longer than ${duration(limits.timeoutMs)}.`;
  return by === 'stop' ? 'Command was stopped because the session closed.' : '';
}

function duration(ms: number): string {
  return ms < MINUTE_MS ? `${(ms / 1000).toFixed(1)} seconds` : `${(ms / MINUTE_MS).toFixed(1)} minutes`;
}

function textOf({text}: ShownOutput): string {
  return text.replace(/\n+$/, '') || '(empty)';
}
