/** Flags of every command that count in each run that a command starts too: what a person gives to it. */
const PASSED = ['admin-policy', 'allowed-tools', 'approval-mode', 'policy', 'sandbox', 'yolo'];
/** Of these, those that name a file: a run has another working directory. */
const PATHS = new Set(['admin-policy', 'policy']);

/** These flags as words, as they were given. */
export function givenWords(
  flags: Readonly<Record<string, unknown>>,
  toPath: (path: string) => string,
): readonly string[] {
  return PASSED.flatMap((name) =>
    [flags[name]].flat().flatMap((value) => {
      if (value === undefined) return [];
      if (value === false) return [`--no-${name}`];
      if (value === true) return [`--${name}`];
      return [`--${name}=${PATHS.has(name) ? toPath(String(value)) : String(value)}`];
    }),
  );
}
