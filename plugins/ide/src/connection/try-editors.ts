import type {Discovery, FoundEditor, IdeFault} from '../contract.js';
import {faultOf} from '../faults.js';
import {ConnectionFault} from './connection.js';

/** The time limit for all editors together. */
const LOOK_MS = 4000;

/**
 * Connects to the first editor that accepts, in order. Gives the fault of the best one when all fail; undefined when
 * one connected, or when the signal is aborted.
 */
export async function tryEditors(
  {candidates, fault}: Discovery,
  enter: (editor: FoundEditor, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<IdeFault | undefined> {
  const faults: IdeFault[] = fault ? [fault] : [];
  const late = AbortSignal.timeout(LOOK_MS);
  for (const editor of candidates) {
    if (late.aborted || signal.aborted) break;
    try {
      await enter(editor, AbortSignal.any([signal, late]));
      return undefined;
    } catch (error) {
      if (error instanceof ConnectionFault) faults.push(error.fault);
      else if (late.aborted) faults.push(describeLate(editor));
      else if (!signal.aborted) throw error;
    }
  }
  return signal.aborted ? undefined : (faults[0] ?? faultOf('no-editor'));
}

function describeLate({info, endpoint}: FoundEditor): IdeFault {
  return faultOf('no-answer', {
    editor: info.displayName,
    ...(endpoint.kind === 'http' ? {port: endpoint.port} : {}),
  });
}
