import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import type {CommandHost} from '@gemini-kernel/command';
import type {Environment} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Update} from './contract.js';

export interface UpdateParts {
  readonly host: Pick<CommandHost, 'catalog' | 'run'>;
  readonly environment: Pick<Environment, 'cacheDir' | 'home' | 'variables'>;
  readonly settings: Pick<Settings, 'getApart'>;
  /** Whether the program comes from a registry. */
  readonly isPublished: boolean;
  /** Aborted when the conversation ends. */
  readonly signal: AbortSignal;
  show(update: Update): Promise<void>;
}

/** The command that knows npm, which a plugin adds. */
const COMMAND = 'doctor:updates';
/** A person who only looks in has left by then, and the first screen is there. */
const LATER_MS = 2000;
const MOST_MS = 15_000;
const VERSION = /^[0-9A-Za-z.-]{1,80}$/;

/**
 * Looks for a newer version of the program, once a day at most, in a process of its own: npm's libraries take long to
 * load. What fails is not shown: who works offline knows. Never rejects.
 */
export async function lookForUpdate(parts: UpdateParts): Promise<void> {
  // The next day has another try.
  await look(parts).catch(() => undefined);
}

async function look(parts: UpdateParts): Promise<void> {
  const {host, environment, signal, show} = parts;
  if (!(await isWanted(parts))) return;
  await pause(LATER_MS, undefined, {signal, ref: false});
  // No start waits for it.
  const {isDueToday} = await import('@gemini-kernel/files/writing');
  if (!(await isDueToday(join(environment.cacheDir, 'updates', 'looked-for'), new Date()))) return;
  const argv = ['doctor', 'updates', '--json'];
  const {code, stdout} = await host.run(argv, {directory: environment.home, show: false, deadline: MOST_MS, signal});
  const update = code === 0 ? readUpdate(stdout) : undefined;
  if (update && !signal.aborted) await show(update);
}

async function isWanted({host, environment, settings, isPublished, signal}: UpdateParts): Promise<boolean> {
  const {CI: ci} = environment.variables;
  if (!isPublished || ci || signal.aborted || !host.catalog.commands.has(COMMAND)) return false;
  return (await settings.getApart('general.enableAutoUpdateNotification')) !== false;
}

function readUpdate(text: string): Update | undefined {
  const {name, version, newer} = JSON.parse(text) as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || typeof version !== 'string' || typeof newer !== 'string') return undefined;
  return VERSION.test(newer) ? {name, version, newer} : undefined;
}
