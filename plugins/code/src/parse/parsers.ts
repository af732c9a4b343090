import {readRegular} from '@gemini-kernel/files';
import {promisify} from 'node:util';
import {brotliDecompress} from 'node:zlib';
import type {Language as Grammar, Node, Parser, Query, QueryCapture, QueryMatch} from 'web-tree-sitter';
import type {Language} from '../languages/language.js';
import {grammarFile} from './grammar-files.js';

/** How long one text may be read. */
const PARSE_MS = 3000;

/** A language that is ready to read texts. */
export class Reader {
  readonly #queries = new Map<string, Query>();
  #end = 0;
  // The types of the package forget that the answer counts: true ends the work.
  readonly #isOver = (): boolean => performance.now() > this.#end;

  constructor(
    readonly language: Language,
    private readonly parts: {
      readonly parser: Parser;
      readonly grammar: Grammar;
      readonly makeQuery: (grammar: Grammar, text: string) => Query;
    },
  ) {}

  /** Makes a query ready. */
  compile(query: string): void {
    this.#query(query);
  }

  /** What a query finds in a tree that is being read. */
  matches(query: string, root: Node): readonly QueryMatch[] {
    return this.#query(query).matches(root, {progressCallback: this.#isOver});
  }

  /** Its captures alone. */
  captures(query: string, root: Node): readonly QueryCapture[] {
    return this.#query(query).captures(root, {progressCallback: this.#isOver});
  }

  /** Gives `use` the tree of a text, which lives no longer. Undefined for a text that takes too long. */
  read<T>(text: string, use: (root: Node) => T, longest = PARSE_MS): T | undefined {
    const {parser} = this.parts;
    this.#end = performance.now() + longest;
    const tree = parser.parse(text, null, {progressCallback: this.#isOver});
    if (!tree) {
      parser.reset();
      return undefined;
    }
    try {
      const result = use(tree.rootNode);
      return this.#isOver() ? undefined : result;
    } finally {
      tree.delete();
    }
  }

  /** The query, compiled once. */
  #query(text: string): Query {
    const known = this.#queries.get(text);
    if (known) return known;
    const made = this.parts.makeQuery(this.parts.grammar, text);
    this.#queries.set(text, made);
    return made;
  }
}

/** Readers by language; each grammar is loaded on first use. */
export class Readers {
  readonly #readers = new Map<string, Promise<Reader>>();
  #treeSitter: Promise<typeof import('web-tree-sitter')> | undefined;

  get(language: Language): Promise<Reader> {
    const known = this.#readers.get(language.grammar);
    if (known) return known;
    const loading = this.#load(language);
    this.#readers.set(language.grammar, loading);
    return loading;
  }

  /** Names of the grammars that are loaded. */
  loaded(): readonly string[] {
    return [...this.#readers.keys()];
  }

  async #load(language: Language): Promise<Reader> {
    const [{Language: Grammars, Parser: Parsers, Query: Queries}, bytes] = await Promise.all([
      (this.#treeSitter ??= loadTreeSitter()),
      readRegular(grammarFile(language.grammar)).then(promisify(brotliDecompress)),
    ]);
    const grammar = await Grammars.load(bytes);
    const parser = new Parsers();
    parser.setLanguage(grammar);
    const reader = new Reader(language, {parser, grammar, makeQuery: (one, text) => new Queries(one, text)});
    // Not within the time of the first text: it takes long where many programs run.
    reader.compile(language.definitions);
    return reader;
  }
}

async function loadTreeSitter(): Promise<typeof import('web-tree-sitter')> {
  const treeSitter = await import('web-tree-sitter');
  await treeSitter.Parser.init();
  return treeSitter;
}
