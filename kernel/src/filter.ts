import type {Filter, FilterKey} from './hook.js';
import type {Touch} from './tool.js';

/** What a dispatch is about, as far as filters can ask. */
export interface Subject {
  readonly tool?: string;
  readonly effect?: string;
  readonly mode?: string;
  readonly touches?: readonly Touch[];
}

const keys: readonly FilterKey[] = ['tool', 'effect', 'path', 'mode'];
const MAX_LENGTH = 500;

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** What is wrong with a filter for a hook that offers `offered`, as a sentence, or undefined. */
export function findFilterFault(filter: Filter, offered: readonly FilterKey[]): string | undefined {
  for (const [key, value] of Object.entries(filter)) {
    if (!(keys as readonly string[]).includes(key)) return `a filter has no key "${key}" (it knows ${keys.join(', ')})`;
    if (!(offered as readonly string[]).includes(key)) return `the hook does not offer "${key}" to filters (it offers ${offered.join(', ') || 'nothing'})`;
    const patterns = listOf(value as string | readonly string[]);
    if (patterns.length === 0 || !patterns.every((one) => typeof one === 'string' && one !== '' && one.length <= MAX_LENGTH)) {
      return `filter "${key}" needs one or more non-empty strings of at most ${MAX_LENGTH} characters`;
    }
    if (key === 'path' && patterns.some((one) => depthOf(one) !== 0)) return 'a path glob has unbalanced braces';
  }
  return undefined;
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
