/** JSON that may have comments and commas before a closing bracket. Throws the SyntaxError of JSON.parse. */
export function parseJsonc(text: string): unknown {
  // Texts are kept whole; what stands between them loses comments, then commas that nothing follows.
  const bare = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, kept: string | undefined) => kept ?? ' ');
  const whole = bare.replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, kept: string | undefined) => kept ?? '');
  return JSON.parse(whole) as unknown;
}
