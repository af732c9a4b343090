import type {Filter, FilterKey} from './hook.js';
import type {Touch} from './tool.js';

/** What a dispatch is about, as far as filters can ask. */
export interface Subject {
  readonly tool?: string;
  readonly effect?: string;
  readonly mode?: string;
  readonly touches?: readonly Touch[];
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** What is wrong with a filter for a hook that offers `offered`, as a sentence, or undefined. */
export function findFilterFault(filter: Filter, offered: readonly FilterKey[]): string | undefined {
  const foreign = Object.keys(filter).find((key) => !(offered as readonly string[]).includes(key));
  if (foreign) return `the hook does not offer "${foreign}" to filters (it offers ${offered.join(', ') || 'nothing'})`;
  return [...listOf(filter.path), ...listOf(filter.tool)].some((glob) => depthOf(glob) !== 0) ? 'a pattern has unbalanced braces' : undefined;
}

function depthOf(glob: string): number {
  let depth = 0;
  for (const char of glob) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (depth < 0) return depth;
  }
  return depth;
}

/** Compiles a filter to a test. Every key given must match; within a key, any of its patterns. */
export function compileFilter(filter: Filter | undefined): (subject: Subject) => boolean {
  if (!filter) return () => true;
  const tools = listOf(filter.tool).map((pattern) => wildcard(pattern, '.'));
  const paths = listOf(filter.path).map((glob) => wildcard(glob, '[^/]'));
  const effects = listOf(filter.effect);
  const modes = listOf(filter.mode);
  return (subject) =>
    (tools.length === 0 || tools.some((tool) => tool.test(subject.tool ?? ''))) &&
    (effects.length === 0 || effects.includes(subject.effect ?? '')) &&
    (modes.length === 0 || modes.includes(subject.mode ?? '')) &&
    (paths.length === 0 || (subject.touches ?? []).some(({kind, value}) => kind === 'path' && paths.some((path) => path.test(value.replaceAll('\\', '/')))));
}

/** `*` within a segment, `**` across segments, `?` one character, `{a,b}` either; everything else itself. */
function wildcard(pattern: string, one: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*|\*|\?|[{},]|[.+^$()|[\]\\]/g, (token, index: number) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return `${one}*`;
    if (token === '?') return one;
    if (token === '{') return '(?:';
    if (token === '}') return ')';
    if (token === ',') return depthOf(pattern.slice(0, index)) > 0 ? '|' : ',';
    return `\\${token}`;
  });
  return new RegExp(`^${source}$`, 's');
}
