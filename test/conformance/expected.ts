/** Scenarios that fail, as `<version> <scenario>`, and why. */
export const expected: Readonly<Record<string, string>> = {};
