/** What belongs to the sandbox outside, or names a place of this machine. */
const OUTSIDE = /^GEMINI_(?:SANDBOX|BIN$|(?:DATA|CONFIG|CACHE)_DIR$)/;
const PASSED =
  /^(?:GEMINI_.*|GOOGLE_.*|OPENAI_.*|(?:HTTPS?|NO|ALL)_PROXY|TERM|TERM_PROGRAM|COLORTERM|NO_COLOR|FORCE_COLOR|LANG|LC_.*|TZ|CI|DEBUG)$/i;

/** The variables that gemini has in a container as outside. Everything else belongs to this machine. */
export function passedNames(variables: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.keys(variables)
    .filter((name) => PASSED.test(name) && !OUTSIDE.test(name) && variables[name] !== undefined)
    .sort();
}
