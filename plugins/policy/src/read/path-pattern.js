import { findRegexFault } from './regex-fault.js';
import { readRegexTree } from './regex-tree.js';
/** More alternatives than that are refused. */
const MOST_GLOBS = 64;
/**
 * Reads a `path_pattern`. It is a regular expression when it has a sign that globs have no use for (`^` in front, `$` at the end, `\.`,
 * `.*` or `.+`, a quantified class or group, `|`), no `**`, and is a valid one; else a glob, for any folder when it has no `/`.
 */
export function readPathPattern(pattern) {
    if (!isRegex(pattern))
        return { globs: [pattern.includes('/') ? pattern : `**/${pattern}`] };
    const fault = findRegexFault(pattern);
    if (fault)
        return { fault: `is a regular expression that ${fault}` };
    const globs = readRegexTree(pattern).map(translateWhole);
    const all = globs.flatMap((some) => some ?? []);
    if (globs.includes(undefined) || all.length > MOST_GLOBS)
        return { fault: 'is a regular expression that cannot be said as globs' };
    return { globs: [...new Set(all)] };
}
/** A text as a glob that matches that text only. */
export function escapeGlob(text) {
    return text.replace(/[\\*?[\]{}()!+@|$^"]/g, '\\$&');
}
function isRegex(pattern) {
    if (pattern.includes('**') || !/^\^|\$$|\\[.\w]|\.[*+]|[\])][*+?]|\|/.test(pattern))
        return false;
    return findRegexFault(pattern)?.startsWith('is not valid') !== true;
}
/** The globs for one alternative of a whole pattern: what has no anchor can begin or end anywhere. */
function translateWhole(items) {
    const isWild = (item) => item?.source === '.' && item.max === Infinity;
    let [from, to] = [0, items.length];
    let [isFree, isOpen] = [true, true];
    if (items[from]?.source === '^')
        [from, isFree] = [from + 1, false];
    if (to > from && items[to - 1]?.source === '$')
        [to, isOpen] = [to - 1, false];
    while (from < to && isWild(items[from]))
        [from, isFree] = [from + 1, true];
    while (to > from && isWild(items[to - 1]))
        [to, isOpen] = [to - 1, true];
    const middles = translate(items.slice(from, to));
    return middles?.flatMap((middle) => {
        const begun = !isFree ? middle : middle.startsWith('/') ? `**${middle}` : middle === '' ? '**' : `**/*${middle.replace(/^\*+/, '')}`;
        if (!isOpen || begun === '**')
            return [begun];
        return begun.endsWith('/') ? [`${begun}**`] : [`${begun.replace(/\*+$/, '')}*`, `${begun.replace(/\*+$/, '')}*/**`];
    });
}
function translate(items) {
    let globs = [''];
    for (const item of items) {
        const pieces = translateItem(item);
        if (!pieces || pieces.length * globs.length > MOST_GLOBS)
            return undefined;
        globs = globs.flatMap((glob) => pieces.map((piece) => glob + piece));
    }
    return globs;
}
function translateItem(item) {
    const { kind, min, max, source } = item;
    if (max === Infinity && kind === 'set')
        return source === '.' ? ['*', '*/**/*'] : source === '[^/]' || source === '[^\\/]' ? ['*'] : undefined;
    if (max !== 1)
        return undefined;
    const once = kind === 'group' ? translateGroup(item) : kind === 'set' ? translateCharacter(source) : undefined;
    return min === 0 && once ? ['', ...once] : once;
}
function translateGroup({ source, options }) {
    if (!/^\((?:\?:|(?!\?))/.test(source))
        return undefined;
    const parts = options.map(translate);
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}
function translateCharacter(source) {
    if (source === '.')
        return ['?'];
    if (source === '\\d')
        return ['[0-9]'];
    if (source === '\\w')
        return ['[A-Za-z0-9_]'];
    // Rules see paths with slashes on every platform.
    if (source === '\\\\')
        return ['/'];
    if (/^\[[A-Za-z0-9_-]+\]$/.test(source))
        return [source];
    if (source.length === 1)
        return [escapeGlob(source)];
    return /^\\[^A-Za-z0-9]$/.test(source) ? [escapeGlob(source.slice(1))] : undefined;
}
//# sourceMappingURL=path-pattern.js.map