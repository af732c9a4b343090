import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Environment} from '../contract/environment.js';
import {listOf} from '../catalog/filter-fault.js';
import type {Filter} from '../contract/hook.js';
import type {Touch} from '../contract/tool.js';

/** What a dispatch is about, as far as filters can ask. */
export interface Subject {
  readonly tool?: string;
  readonly effect?: string;
  readonly mode?: string;
  readonly live?: boolean;
  readonly touches?: readonly Touch[];
}

/** Compiles a filter to a test. Every key given must match; within a key, any of its patterns. */
export function compileFilter(
  filter: Filter | undefined,
  surroundings: Pick<Environment, 'variables' | 'temporary'>,
): (subject: Subject) => boolean {
  if (!filter) return () => true;
  const tools = listOf(filter.tool).flatMap(expandBraces);
  const paths = listOf(filter.path).flatMap(expandBraces);
  const effects = listOf(filter.effect);
  const modes = listOf(filter.mode);
  return (subject) =>
    (filter.live === undefined || filter.live === (subject.live ?? false)) &&
    (tools.length === 0 || tools.some((tool) => matches(tool, subject.tool ?? '', false))) &&
    (effects.length === 0 || effects.includes(subject.effect ?? '')) &&
    (modes.length === 0 || modes.includes(subject.mode ?? '')) &&
    (paths.length === 0 ||
      (subject.touches ?? []).some(
        ({kind, value}) => kind === 'path' && paths.some((path) => matches(path, value.replaceAll('\\', '/'), true)),
      )) &&
    (filter.present?.some((one) => isPresent(one, surroundings)) ?? true);
}

/** Looked at anew each time: what is not there yet can come. */
function isPresent(one: string, {variables, temporary}: Pick<Environment, 'variables' | 'temporary'>): boolean {
  if (one.startsWith('$')) return Boolean(variables[one.slice(1)]);
  try {
    return readdirSync(join(temporary, ...one.split('/').slice(1))).length > 0;
  } catch {
    // What cannot be listed is not there for this program.
    return false;
  }
}

/** What each alternative in braces makes of a pattern, outermost first. */
function expandBraces(pattern: string): readonly string[] {
  const open = pattern.indexOf('{');
  if (open < 0) return [pattern];
  const cuts = [open];
  let close = open + 1;
  for (let depth = 1; depth > 0 && close < pattern.length; close += 1) {
    if (pattern[close] === '{') depth += 1;
    if (pattern[close] === '}') depth -= 1;
    if (depth === 0 || (depth === 1 && pattern[close] === ',')) cuts.push(close);
  }
  const alternatives = cuts.slice(1).map((cut, index) => pattern.slice((cuts[index] ?? 0) + 1, cut));
  return alternatives.flatMap((one) => expandBraces(pattern.slice(0, open) + one + pattern.slice(close)));
}

/**
 * `*` within a segment (of a tool's name: anywhere), `**` across segments, `?` one character, everything else itself.
 * In time that grows with pattern times text at most: only the last `*` and the last `**` are ever tried again.
 */
function matches(pattern: string, text: string, isPath: boolean): boolean {
  let [at, to] = [0, 0];
  let star: {at: number; to: number} | undefined;
  let globstar: {at: number; to: number; bySegment: boolean} | undefined;
  for (;;) {
    if (pattern.startsWith('**', at)) {
      const bySegment = pattern[at + 2] === '/';
      globstar = {at: at + (bySegment ? 3 : 2), to, bySegment};
      [at, star] = [globstar.at, undefined];
    } else if (pattern[at] === '*') {
      star = {at: (at += 1), to};
    } else if (at === pattern.length && to === text.length) {
      return true;
    } else if (
      to < text.length &&
      at < pattern.length &&
      (pattern[at] === text[to] || (pattern[at] === '?' && !(isPath && text[to] === '/')))
    ) {
      [at, to] = [at + 1, to + 1];
    } else if (star && star.to < text.length && !(isPath && text[star.to] === '/')) {
      [at, to] = [star.at, (star.to += 1)];
    } else if (globstar) {
      const next = globstar.bySegment ? text.indexOf('/', globstar.to) + 1 : globstar.to + 1;
      if (next === 0 || next > text.length) return false;
      [at, to, star] = [globstar.at, (globstar.to = next), undefined];
    } else {
      return false;
    }
  }
}
