import {format} from 'node:util';

/** Methods of a command that print into a stream what oclif prints to the streams of this process. */
export function printsInto(
  command: {jsonEnabled(): boolean},
  into: NodeJS.WritableStream,
): Readonly<Record<'log' | 'logToStderr' | 'logJson', (...said: unknown[]) => void>> {
  const log = (...said: unknown[]): void => {
    if (!command.jsonEnabled()) into.write(`${format(...said)}\n`);
  };
  return {log, logToStderr: log, logJson: (json) => into.write(`${JSON.stringify(json, undefined, 2)}\n`)};
}
