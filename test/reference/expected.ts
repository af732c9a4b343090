const SCREEN = 'it waits for words of the screen of Gemini CLI';

const CONSENT =
  'it agrees by a line on standard input, and uses --debug, which there is not here; the flag is --consent';
const ARCHIVE = 'there is no example program in a new skill here, and archives hold the folder of the skill';

/** Tests of the reference's suite that fail, by title, and why. */
export const expected: Readonly<Record<string, string>> = {
  'should handle notification hooks for tool permissions': SCREEN,
  'should fire SessionStart hook and display systemMessage in interactive mode': SCREEN,
  'should fire SessionEnd and SessionStart hooks on /clear command': SCREEN,
  'should force confirmation prompt when hook returns "ask" decision even in YOLO mode': SCREEN,
  'should allow cancelling when hook forces "ask" decision': SCREEN,
  'installs a local extension, verifies a command, and updates it': CONSENT,
  'should initialize, validate, and package a skill': ARCHIVE,
  'should fire PreCompress hook on automatic compression':
    'there PreCompress runs before every prompt; here it runs only if the history is summarised',
};
