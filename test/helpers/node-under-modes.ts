/**
 * The words that start Node so that the modes of files hold for it, also where the tests run as root: without the two
 * capabilities that pass them over.
 */
export function nodeUnderModes(): readonly [string, ...string[]] {
  if (process.getuid?.() !== 0) return [process.execPath];
  const without = '-dac_override,-dac_read_search';
  return ['setpriv', `--bounding-set=${without}`, `--inh-caps=${without}`, process.execPath];
}
