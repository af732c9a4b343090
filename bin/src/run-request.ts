import type {Request} from './find-request.js';
import {runByOclif} from './run-by-oclif.js';
import {runCommand, type RunParts} from './run-command.js';
import type {Start} from './start.js';

/** Runs what the line asks for. Throws as the command does. */
export function runRequest(request: Request, start: Start, parts: RunParts): Promise<void> {
  return request.match && !start.program.stock
    ? runCommand(request.match, start.catalog, parts)
    : runByOclif(request, start, parts);
}
