import process from 'node:process';

/** What marks the listeners of every copy of this kit in the process. */
const MARK = Symbol.for('gemini companion leaves');
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

/** The process that started this one. */
export function parentPid(): number {
  return process.ppid;
}

/** The user this process belongs to; undefined on Windows, where owners and modes of files say nothing. */
export function ownUser(): number | undefined {
  return process.getuid?.();
}

/** Whether there is a process of that number; in doubt there is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/**
 * Does something, at once and without waiting, when this process ends in whatever way it can notice; gives what takes
 * that back. A signal that the host program listens to stays the host's affair; one that nobody else listens to still
 * ends the process as it would have.
 */
export function whenEnding(act: () => void): () => void {
  const listeners = SIGNALS.map((signal) => {
    const listener = Object.assign(
      () => {
        if (process.listeners(signal).some((other) => !(MARK in other))) return;
        act();
        process.off(signal, listener);
        // The last of them lets the signal have the effect that it has where nobody listens.
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

/** Ends a child that was started in a group of its own, with all that it started. */
export function killGroup({pid}: {readonly pid?: number | undefined}): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch (error) {
    // It has ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
