import {createLiveCatalog, type Catalog} from '@gemini-kernel/kernel/host';
import {findRequest} from './find-request.js';
import {hostErrors} from './host-errors.js';
import {readInstalledState} from './installed-state.js';
import {joinCatalog} from './join-catalog.js';
import {lendValidators} from './lend-validators.js';
import {prepareRun} from './prepare-run.js';
import {createEnvironment, placeInstalls} from './process-environment.js';
import type {Program} from './program.js';
import {refuseFaults} from './refuse-faults.js';
import {reportError, reportStop} from './report-error.js';
import {runRequest} from './run-request.js';
import {endFlagsAtScript} from './script-words.js';
import {settlePlaces} from './settle-places.js';
import type {Start} from './start.js';
import {answerAtTerminal} from './terminal.js';
import {warnLeftOut} from './warn-left-out.js';

/** Runs one command line to its exit code. docs/architecture.md, "A start, step by step", walks through it. */
export async function main(given: Program): Promise<number> {
  const program = {...given, argv: endFlagsAtScript(given.argv, 'chat')};
  const stop = new AbortController();
  // Until the catalog is read, no code of a plugin can have been thrown.
  let exitCodeOf: Catalog['exitCodeOf'] = (code) => hostErrors[code]?.exit ?? 1;
  try {
    const places = settlePlaces();
    const environment = createEnvironment(places);
    const installs = placeInstalls(places, program.root, environment.cwd);
    const installed = await readInstalledState({program, places, installs});
    const catalog = createLiveCatalog(joinCatalog(installed));
    ({exitCodeOf} = catalog);
    lendValidators(program, installed.core);
    const start: Start = {program, places, installs, environment, installed, catalog, stop};
    warnLeftOut(start);
    const parts = prepareRun(start);
    const request = await findRequest(start, (form) => answerAtTerminal(form, start.stop.signal));
    refuseFaults(start, request.id);
    await runRequest(request, start, parts);
    return typeof process.exitCode === 'number' ? process.exitCode : 0;
  } catch (error) {
    const parts = {argv: program.argv, exitCodeOf};
    return stop.signal.aborted ? reportStop(stop.signal, parts) : reportError(error, parts);
  }
}
