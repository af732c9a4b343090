import {complain} from './process-environment.js';

export interface Aside {
  say(sentence: string): void;
  end(): void;
}

/** How long nothing is drawn before it is taken for settled: what works draws more often. */
const QUIET_MS = 200;

/**
 * Says sentences while a conversation draws on the terminal: once it has drawn nothing for a moment, and at its end at
 * the latest.
 */
export function createAside(): Aside {
  const waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let written = -1;
  const look = (): void => {
    const isQuiet = written === process.stdout.bytesWritten;
    written = process.stdout.bytesWritten;
    timer = isQuiet ? undefined : setTimeout(look, QUIET_MS).unref();
    if (isQuiet) sayBelow(waiting.splice(0).join('\n'));
  };
  return {
    say(sentence) {
      waiting.push(sentence);
      if (!timer) look();
    },
    end() {
      clearTimeout(timer);
      for (const sentence of waiting.splice(0)) complain(sentence);
    },
  };
}

/** The prompt on the last line makes room for what is said, and is drawn again below it. */
function sayBelow(text: string): void {
  const {stdout, stderr, env} = process;
  const isDrawn = stdout.isTTY && stderr.isTTY;
  if (isDrawn) stdout.write(env['TERM'] === 'dumb' ? '\n' : '\r\u001b[J');
  complain(text);
  // What stands on the screen is drawn again by the listener of a change of its size.
  if (isDrawn) stdout.emit('resize');
}
