import { parse } from 'smol-toml';
/** Finds the places in a text that a TOML parser accepts; of others nothing is promised. */
export function findPlaces(text) {
    const { offsets, paths } = new KeyScanner(text).scan();
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
        starts.push(at + 1);
    const placeOf = (offset) => {
        let [low, high] = [0, starts.length - 1];
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            if ((starts[middle] ?? 0) <= offset)
                low = middle;
            else
                high = middle - 1;
        }
        return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    };
    return {
        paths,
        find(path) {
            for (let length = path.length; length > 0; length -= 1) {
                const offset = offsets.get(JSON.stringify(path.slice(0, length)));
                if (offset !== undefined)
                    return placeOf(offset);
            }
            return { line: 1, column: 1 };
        },
    };
}
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const QUOTED_KEY = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const STRING = /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const PLAIN = /[^,\]}\n#]*/y;
class KeyScanner {
    text;
    offsets = new Map();
    paths = [];
    /** How many tables the arrays of tables have so far. */
    #counts = new Map();
    #at = 0;
    constructor(text) {
        this.text = text;
    }
    scan() {
        let table = [];
        for (this.#take(BLANK); this.#at < this.text.length; this.#take(BLANK)) {
            if (this.text[this.#at] === '[')
                table = this.#header();
            else
                this.#entry(table);
        }
        return this;
    }
    #header() {
        const isArray = this.text[this.#at + 1] === '[';
        const offset = this.#at;
        this.#at += isArray ? 2 : 1;
        const parts = this.#keyParts();
        this.#at += isArray ? 2 : 1;
        let path = [];
        parts.forEach(({ name }, index) => {
            path = [...path, name];
            this.#record(path, offset);
            const key = JSON.stringify(path);
            const isNew = isArray && index === parts.length - 1;
            const count = (this.#counts.get(key) ?? 0) + (isNew ? 1 : 0);
            if (count === 0)
                return;
            this.#counts.set(key, count);
            path = [...path, count - 1];
            this.#record(path, offset);
        });
        return path;
    }
    #entry(table) {
        let path = table;
        for (const { name, offset } of this.#keyParts()) {
            path = [...path, name];
            this.#record(path, offset);
        }
        this.#at += 1;
        this.#value(path);
    }
    #keyParts() {
        const parts = [];
        for (;;) {
            this.#take(/[ \t]*/y);
            const offset = this.#at;
            const quoted = this.#take(QUOTED_KEY);
            const name = quoted === '' ? this.#take(BARE_KEY) : decode(quoted);
            if (this.#at > offset)
                parts.push({ name, offset });
            this.#take(/[ \t]*/y);
            if (this.text[this.#at] !== '.')
                return parts;
            this.#at += 1;
        }
    }
    #value(path) {
        this.#take(BLANK);
        const first = this.text[this.#at];
        if (first === '[')
            this.#list(path);
        else if (first === '{')
            this.#inlineTable(path);
        else if (this.#take(STRING) === '')
            this.#take(PLAIN);
    }
    #list(path) {
        this.#at += 1;
        for (let index = 0; this.#isInside(']'); index += 1) {
            const element = [...path, index];
            this.#record(element, this.#at);
            this.#value(element);
            this.#comma();
        }
        this.#at += 1;
    }
    #inlineTable(path) {
        this.#at += 1;
        while (this.#isInside('}')) {
            this.#entry(path);
            this.#comma();
        }
        this.#at += 1;
    }
    #isInside(end) {
        this.#take(BLANK);
        return this.#at < this.text.length && this.text[this.#at] !== end;
    }
    #comma() {
        this.#take(BLANK);
        if (this.text[this.#at] === ',')
            this.#at += 1;
    }
    #record(path, offset) {
        const key = JSON.stringify(path);
        if (this.offsets.has(key))
            return;
        this.offsets.set(key, offset);
        this.paths.push(path);
    }
    #take(expression) {
        expression.lastIndex = this.#at;
        const found = expression.exec(this.text)?.[0] ?? '';
        this.#at += found.length;
        return found;
    }
}
function decode(quoted) {
    return quoted.startsWith("'") ? quoted.slice(1, -1) : String(parse(`key = ${quoted}`)['key']);
}
//# sourceMappingURL=toml-places.js.map