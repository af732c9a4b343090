import {isKernelError} from '@gemini-kernel/kernel';
import {packWithNpm, type Packed, type Packing} from '../pack-with-npm.js';
import {measureStart, type StartCost} from './measure-start.js';
import {findingsOf, type Finding, type Subject} from './subject.js';

export interface Budget {
  /** Absent when its code cannot be imported on its own. */
  readonly start?: StartCost;
  /** Absent when npm is missing or cannot pack it. */
  readonly packed?: {readonly size: number; readonly files: number};
}

const START_MS = 50;
const PACKED_BYTES = 1_000_000;

/** Measures what a plugin costs its users: the time to import it, and the size of its archive. */
export async function checkBudget(
  {root, manifest}: Subject,
  packing: Packing,
): Promise<{readonly findings: readonly Finding[]; readonly budget: Budget}> {
  const start = await measureStart(manifest, {
    directory: root,
    variables: packing.environment.variables,
    signal: packing.signal,
  });
  const packed = await packWithNpm(packing).catch((error: unknown) => {
    if (!isKernelError(error)) throw error;
    return error.message;
  });
  const dear =
    start?.modules
      .slice(0, 3)
      .map(({module, ms}) => `${module} ${ms} ms`)
      .join(', ') ?? '';
  const findings = [
    ...(start && start.ms > START_MS
      ? [
          `Importing all contributions takes ${start.ms} ms, more than ${START_MS} (${dear}). Import heavy modules ` +
            'inside the function that needs them.',
        ]
      : []),
    ...(typeof packed === 'string'
      ? [`The packed size is unknown: ${packed}`]
      : packed.size > PACKED_BYTES
        ? [describeSize(packed)]
        : []),
  ];
  return {
    findings: findingsOf('warning', 'budget', findings),
    budget: {
      ...(start ? {start} : {}),
      ...(typeof packed === 'string' ? {} : {packed: {size: packed.size, files: packed.files.length}}),
    },
  };
}

function describeSize({size, files}: Packed): string {
  const largest = [...files]
    .sort((a, b) => b.size - a.size)
    .slice(0, 5)
    .map((file) => `${file.path} ${inMegabytes(file.size)}`);
  return `The archive has ${inMegabytes(size)}, more than 1 MB. The largest files: ${largest.join(', ')}.`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}
