import {KernelError} from '@gemini-kernel/kernel';

/** Signals that ask for an end, and the exit code and error code of a program that one of them ended. */
const endings = [
  ['SIGINT', 130, 'RUN_INTERRUPTED'],
  ['SIGTERM', 143, 'RUN_TERMINATED'],
  ['SIGHUP', 129, 'RUN_HUNG_UP'],
] as const;
type Ending = (typeof endings)[number];

/** How long a command has to end once it was asked to. */
const LAST_MS = 2000;

/** Asks what runs to end, and ends the program when something does not listen. */
function endBy(stop: AbortController, [signal, exit, code]: Ending): void {
  stop.abort(new KernelError(code, `${signal} ended this command before it was done.`));
  setTimeout(() => endNow(signal, exit), LAST_MS).unref();
}

/** Runs the listeners of `exit`, then ends by the signal: an ordinary exit waits for a lookup of a name that hangs. */
function endNow(signal: Ending[0], exit: number): void {
  process.on('exit', () => {
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
  process.exit(exit);
}

/** Has the signals that ask for an end stop what runs, from now on. */
export function listenForEnd(stop: AbortController): void {
  for (const ending of endings) process.once(ending[0], () => endBy(stop, ending));
}
