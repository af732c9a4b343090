import {inspect} from 'node:util';
import type {Catalog} from '@gemini-kernel/kernel/host';
import {askedFormat, writeFailure} from './asked-format.js';
import {describeError} from './describe-error.js';
import {complain} from './process-environment.js';

export interface ReportParts {
  readonly argv: readonly string[];
  readonly exitCodeOf: Catalog['exitCodeOf'];
}

/** Writes an error for people, and for programs where the line asks for a format. Returns the exit code. */
export function reportError(error: unknown, {argv, exitCodeOf}: ReportParts): number {
  const {text, json, exit} = describeError(error, exitCodeOf);
  const format = askedFormat(argv);
  if (json && format) process.stdout.write(writeFailure(json, format));
  if (text) complain(`Error: ${text}`);
  if (process.env['DEBUG'] && error instanceof Error) process.stderr.write(`${inspect(error)}\n`);
  return exit;
}

/** Writes for programs only why a signal ended the line: a person knows. Returns the exit code a shell expects. */
export function reportStop({reason}: AbortSignal, {argv, exitCodeOf}: ReportParts): number {
  const {json, exit} = describeError(reason, exitCodeOf);
  const format = askedFormat(argv);
  if (json && format) process.stdout.write(writeFailure(json, format));
  return exit;
}
