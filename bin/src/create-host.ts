import {isatty} from 'node:tty';
import {makeVisible} from '@gemini-kernel/kernel';
import {boot, type Catalog, type ImportFile} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';
import type {Places} from './places.js';
import {createEnvironment} from './process-environment.js';
import {describeError} from './report-error.js';
import {runAgain} from './run-again.js';
import {askAtTerminal} from './terminal.js';

interface Parts {
  readonly root: string;
  readonly catalog: Catalog;
  readonly places: Places;
  readonly importFile: ImportFile;
  /** Aborted when the person interrupts a command that can be stopped. */
  readonly stop: AbortController;
  readonly slash: CommandHost['slash'];
}

/** Why a command was stopped: which signal, and the exit code it stands for. */
export class Interrupted extends Error {
  constructor(readonly exit: number) {
    super('Interrupted.');
  }
}

/** Signals that ask for an end, and the exit code of a program that one of them ended. */
const endings = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const;

/** The same host for a command inside a conversation; what it gives on demand is still given on demand. */
export function withLive(host: CommandHost, live: NonNullable<CommandHost['live']>): CommandHost {
  return Object.defineProperties({} as CommandHost, {...Object.getOwnPropertyDescriptors(host), live: {value: live}});
}

/** What this process gives to a command. */
export function createHost({root, catalog, places, importFile, stop, slash}: Parts): CommandHost {
  const environment = createEnvironment(places);
  let listening = false;
  return {
    catalog,
    boot: (flags) => boot(catalog, {...environment, flags}, importFile),
    ask: (question) => askAtTerminal(makeVisible(question), stop.signal),
    get input() {
      return process.stdin;
    },
    get output() {
      return process.stdout;
    },
    slash,
    describe(error) {
      const {json} = describeError(error, catalog.exitCodeOf);
      return json && json.error.code !== 'BUG' ? json.error : undefined;
    },
    terminal: isatty(1),
    colour: isatty(1) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    node: process.versions.node,
    run: (argv, options) => runAgain(root, argv, options),
    end: (code) => {
      process.exitCode = code;
    },
    get signal() {
      if (!listening) for (const [name, exit] of Object.entries(endings)) process.once(name, () => stop.abort(new Interrupted(exit)));
      listening = true;
      return stop.signal;
    },
  };
}
