import {parse} from 'smol-toml';

/** Keys from the root down; elements of lists and tables of arrays by number. */
export type TomlPath = readonly (string | number)[];

/** Both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where the keys, list elements and table headers of a TOML text stand. */
export interface TomlPlaces {
  /** The place of what a path leads to, else of the nearest thing around it that is written somewhere. */
  find(path: TomlPath): Place;
  /** Everything that has a place. */
  paths(): readonly TomlPath[];
}

/** Finds the places in a text that a TOML parser accepts; of others nothing is promised. */
export function findPlaces(text: string): TomlPlaces {
  const root = new KeyScanner(text).scan();
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return {
    find(path) {
      let node = root;
      for (const name of path) {
        const next = node.children?.get(name);
        if (!next) break;
        node = next;
      }
      return placeOf(node.offset, starts);
    },
    paths: () => pathsOf(root, []),
  };
}

function placeOf(offset: number, starts: readonly number[]): Place {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return {line: low + 1, column: offset - (starts[low] ?? 0) + 1};
}

function pathsOf({children}: Node, path: TomlPath): readonly TomlPath[] {
  return [...(children ?? [])].flatMap(([name, child]) => [[...path, name], ...pathsOf(child, [...path, name])]);
}

/** A key, an element or a table, where it is first written. */
interface Node {
  readonly offset: number;
  children?: Map<string | number, Node>;
  /** How many tables an array of tables has so far. */
  tables?: number;
}

function childOf(node: Node, name: string | number, offset: number): Node {
  node.children ??= new Map();
  const known = node.children.get(name);
  if (known) return known;
  const child: Node = {offset};
  node.children.set(name, child);
  return child;
}

interface KeyPart {
  readonly name: string;
  readonly offset: number;
}

const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const SPACE = /[ \t]*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const QUOTED_KEY = /"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const STRING = /"""(?:\\[\s\S]|(?!""")[^\\])*"{3,5}|'''(?:(?!''')[\s\S])*'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;
const PLAIN = /[^,\]}\n#]*/y;

class KeyScanner {
  #at = 0;

  constructor(private readonly text: string) {}

  scan(): Node {
    const root: Node = {offset: 0};
    let table = root;
    for (this.#take(BLANK); this.#at < this.text.length; this.#take(BLANK)) {
      if (this.text[this.#at] === '[') table = this.#header(root);
      else this.#entry(table);
    }
    return root;
  }

  #header(root: Node): Node {
    const isArray = this.text[this.#at + 1] === '[';
    const offset = this.#at;
    this.#at += isArray ? 2 : 1;
    const parts = this.#keyParts();
    this.#at += isArray ? 2 : 1;
    let node = root;
    parts.forEach(({name}, index) => {
      node = childOf(node, name, offset);
      if (isArray && index === parts.length - 1) node.tables = (node.tables ?? 0) + 1;
      // Below an array of tables, its last one is meant.
      if (node.tables !== undefined) node = childOf(node, node.tables - 1, offset);
    });
    return node;
  }

  #entry(table: Node): void {
    let node = table;
    for (const {name, offset} of this.#keyParts()) node = childOf(node, name, offset);
    this.#at += 1;
    this.#value(node);
  }

  #keyParts(): readonly KeyPart[] {
    const parts: KeyPart[] = [];
    for (;;) {
      this.#take(SPACE);
      const offset = this.#at;
      const quoted = this.#take(QUOTED_KEY);
      const name = quoted === '' ? this.#take(BARE_KEY) : decode(quoted);
      if (this.#at > offset) parts.push({name, offset});
      this.#take(SPACE);
      if (this.text[this.#at] !== '.') return parts;
      this.#at += 1;
    }
  }

  #value(node: Node): void {
    this.#take(BLANK);
    const first = this.text[this.#at];
    if (first === '[') this.#list(node);
    else if (first === '{') this.#inlineTable(node);
    else if (this.#take(STRING) === '') this.#take(PLAIN);
  }

  #list(node: Node): void {
    this.#at += 1;
    for (let index = 0; this.#isInside(']'); index += 1) {
      this.#value(childOf(node, index, this.#at));
      this.#comma();
    }
    this.#at += 1;
  }

  #inlineTable(node: Node): void {
    this.#at += 1;
    while (this.#isInside('}')) {
      this.#entry(node);
      this.#comma();
    }
    this.#at += 1;
  }

  #isInside(end: string): boolean {
    this.#take(BLANK);
    return this.#at < this.text.length && this.text[this.#at] !== end;
  }

  #comma(): void {
    this.#take(BLANK);
    if (this.text[this.#at] === ',') this.#at += 1;
  }

  #take(expression: RegExp): string {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

function decode(quoted: string): string {
  return quoted.startsWith("'") ? quoted.slice(1, -1) : String(parse(`key = ${quoted}`)['key']);
}
