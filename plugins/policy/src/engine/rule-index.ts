import type {Word} from '../bash/analysis.js';
import {baseOf, isPlain} from './command-match.js';
import type {CompiledRule, Subject} from './compile-rule.js';
import {GramIndex, isFindable, literalOfGlob, literalOfRegex} from './gram-index.js';

/** Below this many it is quicker to look at each. */
const FEW = 24;

/** Finds the rules that may speak about a subject without looking at the others. */
export class RuleIndex {
  /** Those that can be found by nothing. */
  readonly #always: CompiledRule[] = [];
  /** By the name and the number of further words. */
  readonly #byLength = new Map<string, CompiledRule[]>();
  #longest = 0;
  /** Names of programs that rules begin with. */
  readonly #names = new Set<string>();
  readonly #byWords = new Map<string, CompiledRule[]>();
  #grams: {readonly inPath: GramIndex<CompiledRule>; readonly inJSON: GramIndex<CompiledRule>} | undefined;

  /** `rules` in the order they are asked. */
  constructor(private readonly rules: readonly CompiledRule[]) {}

  /** At the first search: most tools of a prompt are only asked whether they can pass at all. */
  #build(): {readonly inPath: GramIndex<CompiledRule>; readonly inJSON: GramIndex<CompiledRule>} {
    const paths: Literals[] = [];
    const texts: Literals[] = [];
    for (const item of this.rules) {
      const tokens = item.test.command?.tokens ?? [];
      const [inPath, inText] = tokens.length > 0 ? [] : [pathLiteralsOf(item), textLiteralsOf(item)];
      if (tokens.length > 0) this.#addWords(item, tokens);
      else if (inPath) paths.push({item, literals: inPath});
      else if (inText) texts.push({item, literals: inText});
      else this.#always.push(item);
    }
    return {inPath: new GramIndex(paths), inJSON: new GramIndex(texts)};
  }

  /** Rules that may match, in the order they are asked. */
  find(subject: Subject): readonly CompiledRule[] {
    if (this.rules.length <= FEW) return this.rules;
    const {inPath, inJSON} = (this.#grams ??= this.#build());
    if (this.#mayBeAny(subject)) return this.rules;
    const {path, command, json} = subject;
    const found = [...this.#always];
    if (path) inPath.find(path.value.toLowerCase(), found);
    inJSON.find(json, found);
    const [name, ...words] = command?.words ?? [];
    if (name?.value !== undefined) this.#findByWords(baseOf(name.value), words, found);
    found.sort((a, b) => a.rank - b.rank);
    return found.filter((rule, index) => rule !== found[index - 1]);
  }

  /** A command of unknown name may be any command, and a path with holes many paths. */
  #mayBeAny({path, command}: Subject): boolean {
    const name = command?.words?.[0];
    return path?.isShape || (name && name.value === undefined) || this.#mayLaunch(command);
  }

  /** An unknown program may run any that its words name. */
  #mayLaunch(command: Subject['command']): boolean {
    if (!command?.words) return false;
    const [name, ...words] = command.words;
    const at = name?.value?.indexOf('-') ?? -1;
    if (at > 0 && this.#names.has(baseOf(name?.value?.slice(0, at) ?? ''))) return true;
    if (command.isStrange !== true) return false;
    return words.some(
      ({value}) => value === undefined || value.split(/[^\w.@+-]+/).some((part) => this.#names.has(baseOf(part))),
    );
  }

  #addWords(item: CompiledRule, tokens: readonly string[]): void {
    const name = baseOf(tokens[0] ?? '');
    this.#longest = Math.max(this.#longest, tokens.length - 1);
    this.#names.add(name);
    add(this.#byLength, `${name} ${tokens.length - 1}`, item);
    add(this.#byWords, tokens.length > 1 ? `${name} ${tokens.at(-1) ?? ''}` : name, item);
  }

  #findByWords(name: string, words: readonly Word[], into: CompiledRule[]): void {
    append(into, this.#byWords.get(name));
    let plain = 0;
    let shortest = Infinity;
    for (const [index, {value}] of words.entries()) {
      // Before it can be the last of a rule's words, each plain one has to be another.
      if (value === undefined) shortest = Math.min(shortest, plain + 1);
      else append(into, this.#byWords.get(`${name} ${value}`));
      if (value !== undefined && isPlain(words, index)) plain += 1;
    }
    for (let length = shortest; length <= this.#longest; length += 1)
      append(into, this.#byLength.get(`${name} ${length}`));
  }
}

interface Literals {
  readonly item: CompiledRule;
  readonly literals: readonly string[];
}

/** The texts of which a path must hold one; undefined when a rule cannot be found by them. */
function pathLiteralsOf({test: {path}}: CompiledRule): readonly string[] | undefined {
  const literals = path?.globs.map((glob) => literalOfGlob(glob).toLowerCase()) ?? [];
  return literals.length > 0 && literals.every(isFindable) ? literals : undefined;
}

/** The same for the arguments. */
function textLiteralsOf({test: {args, command}}: CompiledRule): readonly string[] | undefined {
  const literal = args && !command ? literalOfRegex(args.source) : '';
  return literal && isFindable(literal) ? [literal] : undefined;
}

function append(list: CompiledRule[], more: readonly CompiledRule[] | undefined): void {
  for (const item of more ?? []) list.push(item);
}

function add(map: Map<string, CompiledRule[]>, key: string, item: CompiledRule): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
