import type {Filter, FilterKey} from '../contract/hook.js';

/** One value of a filter, or several. */
export function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** What is wrong with a filter for a hook that offers `offered`, as a sentence, or undefined. */
export function findFilterFault(filter: Filter, offered: readonly FilterKey[]): string | undefined {
  const foreign = Object.keys(filter).find(
    (key) => key !== 'live' && key !== 'present' && !(offered as readonly string[]).includes(key),
  );
  if (foreign) return `the hook does not offer "${foreign}" to filters (it offers ${offered.join(', ') || 'nothing'})`;
  const odd = filter.present?.find((one) => !/^(\$\w+|tmp(\/[\w-]+)+)$/.test(one));
  if (odd !== undefined)
    return `"${odd}" is neither a variable ($NAME) nor a folder below the temporary one (tmp/name)`;
  return [...listOf(filter.path), ...listOf(filter.tool)].some((glob) => depthOf(glob) !== 0)
    ? 'a pattern has unbalanced braces'
    : undefined;
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
