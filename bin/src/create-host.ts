import {isatty} from 'node:tty';
import {makeVisible} from '@gemini-kernel/kernel';
import {boot, type Catalog, type ImportFile} from '@gemini-kernel/kernel/host';
import type {CommandHost} from '@gemini-kernel/kernel/oclif';
import type {Places} from './places.js';
import {createEnvironment} from './process-environment.js';
import {runAgain} from './run-again.js';
import {askAtTerminal} from './terminal.js';

interface Parts {
  readonly root: string;
  readonly catalog: Catalog;
  readonly places: Places;
  readonly importFile: ImportFile;
  /** Aborted when the person interrupts a command that can be stopped. */
  readonly stop: AbortController;
}

/** What this process gives to a command. */
export function createHost({root, catalog, places, importFile, stop}: Parts): CommandHost {
  const environment = createEnvironment(places);
  return {
    catalog,
    boot: (flags) => boot(catalog, {...environment, flags}, importFile),
    ask: (question) => askAtTerminal(makeVisible(question), stop.signal),
    get input() {
      return process.stdin;
    },
    terminal: isatty(1),
    colour: isatty(1) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
    node: process.versions.node,
    run: (argv, options) => runAgain(root, argv, options),
    end: (code) => {
      process.exitCode = code;
    },
    get signal() {
      process.once('SIGINT', () => stop.abort(new Error('Interrupted.')));
      return stop.signal;
    },
  };
}
