/**
 * Whether a text fits a pattern: `*` stands for what is within a segment (of a tool's name: for anything), `**` also
 * across segments, `?` for one character, everything else for itself. The time grows with pattern times text.
 */
export function matchesGlob(pattern: string, text: string, isPath: boolean): boolean {
  const tokens = pattern.match(/\*\*\/|\*\*|[\s\S]/g) ?? [];
  let states = new Uint8Array(tokens.length + 1);
  enter(tokens, states, 0);
  for (const char of text.split('')) {
    const next = new Uint8Array(tokens.length + 1);
    tokens.forEach((token, index) => {
      if (states[index]) step(tokens, next, {token, index, char, isSplit: isPath && char === '/'});
    });
    states = next;
  }
  return states[tokens.length] === 1;
}

/** What may stand for nothing is passed at once. */
function enter(tokens: readonly string[], states: Uint8Array, index: number): void {
  states[index] = 1;
  if (tokens[index]?.startsWith('*')) enter(tokens, states, index + 1);
}

interface Step {
  readonly token: string;
  readonly index: number;
  readonly char: string;
  /** Whether a segment of a path ends here. */
  readonly isSplit: boolean;
}

function step(tokens: readonly string[], next: Uint8Array, {token, index, char, isSplit}: Step): void {
  if (token === '**/') {
    next[index] = 1;
    if (char === '/') enter(tokens, next, index + 1);
  } else if (token === '**' || (token === '*' && !isSplit)) {
    enter(tokens, next, index);
  } else if (token === char || (token === '?' && !isSplit)) {
    enter(tokens, next, index + 1);
  }
}
