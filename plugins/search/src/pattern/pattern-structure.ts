/** What the brackets of a pattern are like. */
export interface PatternStructure {
  /** The index of the bracket or backslash that has no other half. */
  readonly fault?: {readonly what: string; readonly at: number};
  /** The index where groups are nested deeper than asked. */
  readonly tooDeepAt?: number;
}

/** Looks at nothing but brackets and backslashes, in one pass, so that any text can be looked at. */
export function patternStructure(text: string, deepest: number): PatternStructure {
  const open: number[] = [];
  let classAt = -1;
  let unopened = -1;
  let tooDeepAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') {
      if (at + 1 === text.length) return {fault: {what: 'nothing follows the backslash', at}};
      at += 1;
    } else if (classAt >= 0) classAt = character === ']' ? -1 : classAt;
    else if (character === '[') classAt = at;
    else if (character === '(') {
      if (open.push(at) > deepest) tooDeepAt = firstOf(tooDeepAt, at);
    } else if (character === ')' && open.pop() === undefined) unopened = firstOf(unopened, at);
  }
  return {...findFault(classAt, unopened, open.at(-1)), ...(tooDeepAt >= 0 && {tooDeepAt})};
}

/** The index that was found before, if there is one. */
function firstOf(before: number, at: number): number {
  return before < 0 ? at : before;
}

function findFault(classAt: number, unopened: number, openAt: number | undefined): Pick<PatternStructure, 'fault'> {
  if (unopened >= 0) return {fault: {what: 'unmatched closing parenthesis', at: unopened}};
  if (classAt >= 0) return {fault: {what: 'unterminated character class', at: classAt}};
  return openAt === undefined ? {} : {fault: {what: 'unterminated group', at: openAt}};
}
