/** What the plugin knows of a language. Types of nodes are those of its grammar. */
export interface Language {
  readonly name: string;
  /** The file of the grammar, without its ending. */
  readonly grammar: string;
  /** Of names of files, with the dot, in lower case. */
  readonly endings: readonly string[];
  /**
   * A query: each pattern captures a definition by its kind and its name as `@name`; `@owner` is what it belongs to
   * when that is not around it.
   */
  readonly definitions: string;
  /** Types of nodes that are a name. */
  readonly names: readonly string[];
  /** Those of them that name a member of something: `b` in `a.b`. */
  readonly members?: readonly string[];
  /** Types of nodes before a definition that belong to it: comments, decorators, attributes. */
  readonly before: readonly string[];
  /** Types of nodes around a definition that belong to it when it is the only one in them. */
  readonly around?: readonly string[];
  /** Captures as `@super` what a definition, captured as `@sub`, extends or implements. */
  readonly supers?: string;
  /** Names that hold only within a part of a file: the parts, and a query that captures the names as `@local`. */
  readonly locals?: {readonly scopes: readonly string[]; readonly query: string};
}
