import {isTable} from './is-table.js';

/** The folder for plans that a manifest names, or why it names none that counts, as a clause. */
export interface ReadPlan {
  readonly planFolder?: string;
  readonly planFault?: string;
}

/** Reads `plan` of a manifest. One that is wrong does not cost the extension, which may guard. */
export function readPlan(value: unknown = {}): ReadPlan {
  if (!isTable(value)) return {planFault: `its plan must be an object, not ${JSON.stringify(value)}`};
  const {directory} = value;
  if (directory === undefined) return {};
  // Where it may lie is judged in each project.
  return typeof directory === 'string' && directory.trim() !== ''
    ? {planFolder: directory}
    : {planFault: `its plan.directory must be text, not ${JSON.stringify(directory)}`};
}
