import process from 'node:process';

/** Marks the listeners of every copy of this kit in the process. */
const MARK = Symbol.for('gemini companion leaves');
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The parent of this process. */
export function parentPid(): number {
  return process.ppid;
}

/** The user of this process; undefined on Windows, where file owners and modes have no meaning. */
export function ownUser(): number | undefined {
  return process.getuid?.();
}

/** Whether a process with that id exists; true in doubt. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Calls a function, synchronously, when this process ends in any way that it can notice; gives a function that undoes
 * this. If the host program handles a signal, that stays as it is; a signal without another listener still ends the
 * process as usual.
 */
export function whenEnding(act: () => void): () => void {
  const listeners = SIGNALS.map((signal) => {
    const listener = Object.assign(
      () => {
        if (process.listeners(signal).some((other) => !(MARK in other))) return;
        act();
        process.off(signal, listener);
        // The last listener lets the signal have its default effect.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      },
      {[MARK]: true},
    );
    process.on(signal, listener);
    return {signal, listener};
  });
  process.on('exit', act);
  return () => {
    process.off('exit', act);
    for (const {signal, listener} of listeners) process.off(signal, listener);
  };
}

/** Ends a child that was started in its own process group, with everything that it started. */
export function killGroup({pid}: {readonly pid?: number | undefined}): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
