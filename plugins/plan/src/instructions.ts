import {EXIT} from './tool-names.js';

/** What the model should know in plan mode. */
export function instructionsFor(folder: string): string {
  return [
    'In plan mode you look, ask what is open, and change nothing. When you know what to do, call ' +
      `${EXIT}` +
      ' with',
    'the whole plan as Markdown: the goal, the files to change, the steps in order, and how to verify the result. The',
    'user approves it, or says what to change; then present it again under the same name.',
    `Plans are kept in ${folder}.`,
  ].join('\n');
}
