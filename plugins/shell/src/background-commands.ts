import {ToolError} from '@gemini-kernel/kernel';
import type {BackgroundProcess, CommandEnd} from './contract.js';
import {endText} from './command-text.js';
import type {Started} from './started.js';

const MOST_ENDED = 50;

interface Background {
  readonly started: Started;
  end?: CommandEnd;
}

/** The background processes of a session, and the newest of those that have ended. */
export class BackgroundCommands {
  readonly #all = new Map<number, Background>();

  /** Adds a command that runs; `onEnd` is called with how it ended. */
  add(started: Started, onEnd?: (process: BackgroundProcess) => void): BackgroundProcess {
    const {running} = started;
    const background: Background = {started};
    this.#all.delete(running.pid);
    this.#all.set(running.pid, background);
    void running.ended.then((end) => {
      background.end = end;
      this.#forgetOldest();
      onEnd?.(describe(background));
    });
    return describe(background);
  }

  list(): readonly BackgroundProcess[] {
    return [...this.#all.values()].map(describe);
  }

  /** Throws ToolError PROCESS_UNKNOWN. */
  find(pid: number): Started & {readonly process: BackgroundProcess} {
    const background = this.#all.get(pid);
    if (background) return {...background.started, process: describe(background)};
    const known = [...this.#all.keys()].join(', ');
    throw new ToolError('PROCESS_UNKNOWN', `No background process of this session has the id ${pid}.`, {
      hint: known ? `Available: ${known}.` : 'No command was started with is_background.',
    });
  }

  #forgetOldest(): void {
    const ended = [...this.#all].filter(([, {end}]) => end !== undefined);
    for (const [pid] of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#all.delete(pid);
  }
}

/** A sentence about a background process that has ended. */
export function endSentence({pid, command, end}: BackgroundProcess): string {
  const how = end?.by === 'stop' ? 'was stopped' : end?.exitCode === 0 ? 'has ended' : `has ended (${endText(end)})`;
  return `Background process ${pid} ${how}: ${command}`;
}

function describe({started: {request, running, hasTerminal}, end}: Background): BackgroundProcess {
  return {
    pid: running.pid,
    command: request.command,
    ...(end ? {end} : {}),
    ...(hasTerminal ? {hasTerminal} : {}),
  };
}
