import {isCommonValue, passwordsIn} from './secret-form.js';

/** One text to take out, and the variable that holds it. */
export interface Needle {
  readonly text: string;
  readonly name: string;
}

const SHORTEST_LINE = 16;

/**
 * The texts that give a variable away: its value, the same as JSON and in a URL, each long line of it, the passwords in
 * it.
 */
export function needlesOf(name: string, value: string): readonly Needle[] {
  const whole = value.trim();
  if (isCommonValue(whole)) return [];
  const lines = whole.split(/\r?\n|\\n/).filter((line) => line.length >= SHORTEST_LINE && !line.startsWith('-----'));
  const texts = [whole, JSON.stringify(whole).slice(1, -1), ...inUrl(whole), ...lines, ...passwordNeedles(whole)];
  return [...new Set(texts)].map((text) => ({text, name}));
}

/** Only the passwords in the URLs of a value. */
export function passwordNeedlesOf(name: string, value: string): readonly Needle[] {
  return passwordNeedles(value).map((text) => ({text, name}));
}

/** Half a surrogate pair cannot stand in a URL. */
function inUrl(value: string): readonly string[] {
  return /\p{Surrogate}/u.test(value) ? [] : [encodeURIComponent(value)];
}

function passwordNeedles(value: string): readonly string[] {
  return passwordsIn(value).filter((password) => !isCommonValue(password));
}
