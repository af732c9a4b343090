/** The alternatives of a regular expression that `new RegExp` accepts (no flags), as a tree. */
export function readRegexTree(pattern) {
    return new RegexReader(pattern).readOptions();
}
const GROUP_START = /\((?:\?(?::|=|!|<=|<!|<[^>=!]*>|[a-z]*-?[a-z]*:))?/y;
const SET = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[1-9]\d*|[\s\S])/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y;
class RegexReader {
    pattern;
    #at = 0;
    constructor(pattern) {
        this.pattern = pattern;
    }
    readOptions() {
        const options = [[]];
        while (this.#at < this.pattern.length && this.pattern[this.#at] !== ')') {
            if (this.pattern[this.#at] === '|') {
                this.#at += 1;
                options.push([]);
            }
            else {
                options.at(-1)?.push(this.#readItem());
            }
        }
        return options;
    }
    #readItem() {
        const start = this.#take(GROUP_START);
        const atom = start === undefined ? this.#readAtom() : this.#readGroup(start);
        const quantifier = this.#take(QUANTIFIER);
        return { ...atom, ...(quantifier === undefined ? { min: 1, max: 1 } : boundsOf(quantifier)) };
    }
    #readGroup(start) {
        const from = this.#at - start.length;
        const options = this.readOptions();
        this.#at += 1;
        return { kind: /[=!]$/.test(start) ? 'look' : 'group', source: this.pattern.slice(from, this.#at), options };
    }
    #readAtom() {
        const source = this.#take(SET) ?? this.#take(ESCAPE) ?? this.#next();
        const isMark = source === '^' || source === '$' || source === '\\b' || source === '\\B';
        return { kind: isMark ? 'mark' : /^\\(?:k<|[1-9])/.test(source) ? 'reference' : 'set', source, options: [] };
    }
    #next() {
        this.#at += 1;
        return this.pattern.slice(this.#at - 1, this.#at);
    }
    #take(expression) {
        expression.lastIndex = this.#at;
        const found = expression.exec(this.pattern)?.[0];
        this.#at += found?.length ?? 0;
        return found;
    }
}
function boundsOf(quantifier) {
    if (quantifier.startsWith('*'))
        return { min: 0, max: Infinity };
    if (quantifier.startsWith('+'))
        return { min: 1, max: Infinity };
    if (quantifier.startsWith('?'))
        return { min: 0, max: 1 };
    const [, low = '0', comma, high] = /\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
    return { min: Number(low), max: comma ? (high ? Number(high) : Infinity) : Number(low) };
}
//# sourceMappingURL=regex-tree.js.map