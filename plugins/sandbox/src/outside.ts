/** What starts programs outside of a sandbox that holds the whole program. */
export const OUTSIDE = {
  sentence: 'this command runs outside of it. Only a conversation starts in it.',
  hint: 'Use `gemini` or `gemini -p`, or GEMINI_SANDBOX=bwrap, which confines each program that gemini starts.',
};
