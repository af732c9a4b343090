import type {Scratchpad} from '../contract.js';
import {objectOf, textOf} from '../records.js';

const MOST_TEXT = 500;
const MOST_ITEMS = 20;
const STATES: readonly unknown[] = ['passed', 'failed', 'unknown'];

/** The scratchpad in the metadata of a session, which either program, or anyone, can have written. */
export function readScratchpad(value: unknown): Scratchpad | undefined {
  const found = objectOf(value);
  if (found?.['version'] !== 1) return undefined;
  const summary = textOf(found['workflowSummary'])?.slice(0, MOST_TEXT);
  const [toolSequence, touchedPaths] = [textsOf(found['toolSequence']), textsOf(found['touchedPaths'])];
  const status = found['validationStatus'];
  return {
    version: 1,
    ...(summary === undefined ? {} : {workflowSummary: summary}),
    ...(toolSequence === undefined ? {} : {toolSequence}),
    ...(touchedPaths === undefined ? {} : {touchedPaths}),
    ...(STATES.includes(status) ? {validationStatus: status as NonNullable<Scratchpad['validationStatus']>} : {}),
  };
}

function textsOf(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((one) => typeof one === 'string').slice(0, MOST_ITEMS);
  return texts.map((text) => text.slice(0, MOST_TEXT));
}
