import {basename, extname, isAbsolute, relative} from 'node:path';
import type {CallRecord} from '@gemini-kernel/plugin-agent/contract';
import {objectOf} from '../records.js';
import type {Scratchpad} from '../contract.js';
import {programOf} from './program-of.js';

/** The limits are those of Gemini CLI, whose extraction reads the same field. */
const MOST_TOOLS = 6;
const MOST_PATHS = 4;
const MOST_DEPTH = 6;
const MOST_SUMMARY = 160;
const LONGEST_PATH = 240;
const LONGEST_SHOWN = 120;
const SHELL = 'run_shell_command';
const PATH_KEY = /path|file|dir|cwd|root/i;
const CHECKS_BY_NAME = /\b(?:test|lint|build|check|typecheck)\b/i;
const CHECKS_BY_COMMAND = /\b(?:tests?|vitest|jest|pytest|lint|build|check|typecheck)\b/i;

/** What a scratchpad needs of a call. */
export type WorkStep = Pick<CallRecord, 'name' | 'input' | 'status'>;

/** One call, reduced to what a scratchpad keeps of it: no argument of a command, and no path outside of the project. */
export interface NotedStep {
  readonly tool: string;
  readonly paths: readonly string[];
  /** How it ended, when it checks the work. */
  readonly check?: 'passed' | 'failed';
}

/** Reduces a call at once, so that its output and its input need not be kept. */
export function noteStep({name, input, status}: WorkStep, root: string): NotedStep {
  const command = commandIn(input);
  const program = name === SHELL && command !== undefined ? programOf(command) : undefined;
  const isCheck = CHECKS_BY_NAME.test(name) || (command !== undefined && CHECKS_BY_COMMAND.test(command));
  const paths = new Set<string>();
  collectPaths(input, {root, paths, key: '', depth: 0});
  return {
    tool: program === undefined ? name.trim() || 'unknown_tool' : `${SHELL}: ${program}`,
    paths: [...paths],
    ...(isCheck ? {check: status === 'done' ? ('passed' as const) : ('failed' as const)} : {}),
  };
}

/** What was done, from the calls in their order. It asks no model: the same calls give the same text. */
export function describeWork(steps: readonly NotedStep[]): Scratchpad {
  const toolSequence = [...new Set(steps.map(({tool}) => tool))].slice(0, MOST_TOOLS);
  const touchedPaths = [...new Set(steps.flatMap(({paths}) => paths))].slice(0, MOST_PATHS);
  const validationStatus = steps.findLast(({check}) => check !== undefined)?.check;
  const summary = [
    toolSequence.join(' -> '),
    touchedPaths.length > 0 ? `paths ${touchedPaths.join(', ')}` : '',
    {passed: 'validated', failed: 'validation failed', none: ''}[validationStatus ?? 'none'],
  ]
    .filter((part) => part !== '')
    .join(' | ');
  return {
    version: 1,
    ...(summary === '' ? {} : {workflowSummary: shortened(summary)}),
    ...(toolSequence.length > 0 ? {toolSequence} : {}),
    ...(touchedPaths.length > 0 ? {touchedPaths} : {}),
    ...(validationStatus === undefined ? {} : {validationStatus}),
  };
}

function shortened(summary: string): string {
  return summary.length > MOST_SUMMARY ? `${summary.slice(0, MOST_SUMMARY - 3)}...` : summary;
}

function commandIn(input: unknown): string | undefined {
  const found = ['command', 'cmd', 'script'].map((key) => objectOf(input)?.[key]);
  return found.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

interface Collecting {
  readonly root: string;
  readonly paths: Set<string>;
  /** The nearest key above the value. */
  readonly key: string;
  readonly depth: number;
}

function collectPaths(value: unknown, at: Collecting): void {
  if (at.paths.size >= MOST_PATHS || at.depth > MOST_DEPTH) return;
  if (typeof value === 'string') {
    const path = PATH_KEY.test(at.key) ? shownPath(value.trim(), at.root) : undefined;
    if (path !== undefined) at.paths.add(path);
  } else if (Array.isArray(value)) {
    for (const one of value) collectPaths(one, {...at, depth: at.depth + 1});
  } else {
    for (const [key, one] of Object.entries(objectOf(value) ?? {}))
      collectPaths(one, {...at, key, depth: at.depth + 1});
  }
}

/** Below the project, or the last name only; undefined for what does not look like a path. */
function shownPath(path: string, root: string): string | undefined {
  if (!looksLikePath(path)) return undefined;
  const below = isAbsolute(path) ? relative(root, path) : path;
  const isOutside = isAbsolute(path) && (below === '' || below.startsWith('..') || isAbsolute(below));
  const shown = (isOutside ? basename(path) : below).replaceAll('\\', '/');
  return shown.length > LONGEST_SHOWN ? shown.split('/').slice(-3).join('/') : shown || undefined;
}

function looksLikePath(path: string): boolean {
  if (path === '' || path.length > LONGEST_PATH || path.includes('\n')) return false;
  return /[\\/]/.test(path) || path.startsWith('.') || extname(path) !== '';
}
