import {isatty} from 'node:tty';
import type {CommandHost} from '@gemini-kernel/command';
import {bootFollowing} from './boot-following.js';
import {describeError} from './describe-error.js';
import {joinCatalog} from './join-catalog.js';
import {listenForEnd} from './listen-for-end.js';
import type {RunParts} from './run-command.js';
import {runSlashCommand} from './run-slash-command.js';
import type {Start} from './start.js';
import {answerAtTerminal} from './terminal.js';

/** What this process gives to a command. */
export function createHost(start: Start, parts: Omit<RunParts, 'host'>): CommandHost {
  const {catalog, stop} = start;
  let listening = false;
  const host: CommandHost = {
    catalog,
    boot: (flags) =>
      bootFollowing(start, {
        flags,
        importFile: parts.importFile,
        answer: (form, signal = stop.signal) => answerAtTerminal(form, signal),
      }),
    get input() {
      return process.stdin;
    },
    get output() {
      return process.stdout;
    },
    slash: (words, live, into) =>
      live.kernel.during(() => runSlashCommand(words, catalog, {...parts, host: withLive(host, live, into), into})),
    describe(error) {
      const {json} = describeError(error, catalog.exitCodeOf);
      return json && json.error.code !== 'BUG' ? json.error : undefined;
    },
    terminal: isatty(1),
    colour: isatty(1) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    node: process.versions.node,
    run: async (argv, options) => (await import('./run-again.js')).runAgain(parts.root, argv, options),
    leaveOut: (without) => catalog.replace(joinCatalog(start.installed, {without})),
    end: (code) => {
      process.exitCode = code;
    },
    get signal() {
      if (!listening) listenForEnd(stop);
      listening = true;
      return stop.signal;
    },
  };
  return host;
}

/**
 * The same host for a command inside a conversation; what it gives on demand is still given on demand. The exit code
 * of such a command is not that of the conversation.
 */
function withLive(
  host: CommandHost,
  live: NonNullable<CommandHost['live']>,
  into: NodeJS.WritableStream | undefined,
): CommandHost {
  const own = {live: {value: live}, end: {value: () => undefined}, ...(into ? {output: {value: into}} : {})};
  return Object.defineProperties({} as CommandHost, {...Object.getOwnPropertyDescriptors(host), ...own});
}
