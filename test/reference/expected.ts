const SCREEN = 'it refuses by the number of a choice and waits for a word, both of the screen of Gemini CLI';

const CONSENT =
  'it agrees by a line on standard input, and uses --debug, which there is not here; the flag is --consent';
const ARCHIVE = 'there is no example program in a new skill here, and archives hold the folder of the skill';

/** Tests of the reference's suite that fail, by title, and why. */
export const expected: Readonly<Record<string, string>> = {
  'should allow cancelling when hook forces "ask" decision': SCREEN,
  'installs a local extension, verifies a command, and updates it': CONSENT,
  'should initialize, validate, and package a skill': ARCHIVE,
  'should fire PreCompress hook on automatic compression':
    'there PreCompress runs before every prompt; here it runs only if the history is summarised',
};
