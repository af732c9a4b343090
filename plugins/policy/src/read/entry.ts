import type {Problem, Tier} from '../rule.js';
import {sortKeys, type FieldName, type Fields} from './rule-keys.js';
import type {TomlPath, TomlPlaces} from './toml-places.js';

/** What a rule file is, beside its text. */
export interface RuleFile {
  readonly tier: Tier;
  /** As in `RuleSource`. */
  readonly tightens?: true;
  /** Absolute. */
  readonly file: string;
  /** As people are shown it: `User: git.toml`. */
  readonly label: string;
  /** Names of the tools that there are, for advice about misspelt ones. */
  readonly knownTools: readonly string[];
}

interface Source {
  readonly file: RuleFile;
  readonly places: TomlPlaces;
  /** Where the problems go. */
  readonly problems: Problem[];
}

/** A condition that cannot be used; what that means is known once the decision is. */
interface Break {
  readonly path: TomlPath;
  /** A sentence without its full stop. */
  readonly fragment: string;
  readonly hint: string | undefined;
}

/**
 * One rule or checker of a file on its way to the model: gives values of the right type and keeps what is wrong with
 * the others.
 */
export class Entry {
  readonly #fields: Fields;
  readonly #breaks: Break[] = [];

  constructor(
    table: Readonly<Record<string, unknown>>,
    readonly path: TomlPath,
    kind: 'rule' | 'checker',
    readonly source: Source,
  ) {
    this.#fields = sortKeys(table, path, kind);
    for (const {key, path: at} of this.#fields.repeated)
      this.#breaks.push({
        path: at,
        fragment: `"${key}" says again what another key says`,
        hint: 'Keep one of the two.',
      });
    for (const {key, nearest, isCondition, path: at} of this.#fields.unknown) {
      const hint = nearest === undefined ? undefined : `Did you mean "${nearest}"?`;
      if (isCondition) this.#breaks.push({path: at, fragment: `There is no condition "${key}"`, hint});
      else this.#add('warning', at, {message: `There is no key "${key}"; it is not used.`, hint});
    }
  }

  /** Whether a condition cannot be used. */
  get isBroken(): boolean {
    return this.#breaks.length > 0;
  }

  get line(): number {
    return this.source.places.find(this.path).line;
  }

  has(name: FieldName): boolean {
    return this.#fields.known.has(name);
  }

  value(name: FieldName): unknown {
    return this.#fields.known.get(name)?.value;
  }

  /** A text that is not empty. */
  text(name: FieldName): string | undefined {
    const value = this.value(name);
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.break(name, `must be a text that is not empty`);
    return undefined;
  }

  /** A text, or a list of texts, that are not empty. */
  texts(name: FieldName): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((item) => typeof item === 'string' && item !== '')) return list as readonly string[];
    this.break(name, 'must be a text or a list of texts that are not empty');
    return undefined;
  }

  truth(name: FieldName): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    this.break(name, 'must be true or false');
    return undefined;
  }

  /** Says that a condition cannot be used; `fragment` continues after its key. */
  break(name: FieldName, fragment: string, hint?: string): void {
    const said = `"${this.#keyOf(name)}" ${fragment}`;
    if (!this.#breaks.some((one) => one.fragment === said))
      this.#breaks.push({path: this.#pathOf(name), fragment: said, hint});
  }

  /** Says that the entry lacks something without which it cannot be used as it is. */
  lack(fragment: string, hint: string): void {
    this.#breaks.push({path: this.path, fragment, hint});
  }

  /** Tells about something that leaves the entry usable. */
  tell(
    severity: Problem['severity'],
    name: FieldName | undefined,
    {message, hint, element}: {readonly message: string; readonly hint?: string | undefined; readonly element?: number},
  ): void {
    const at = name === undefined ? this.path : this.#pathOf(name);
    this.#add(severity, element === undefined ? at : [...at, element], {message, hint});
  }

  /** Tells what became of the entry, once for each condition that cannot be used. */
  settle(consequence: string): void {
    for (const {path, fragment, hint} of this.#breaks)
      this.#add('error', path, {message: `${fragment}, so ${consequence}.`, hint});
  }

  #add(
    severity: Problem['severity'],
    path: TomlPath,
    {message, hint}: {readonly message: string; readonly hint: string | undefined},
  ): void {
    const {file, places, problems} = this.source;
    problems.push({
      severity,
      tier: file.tier,
      file: file.file,
      ...places.find(path),
      message,
      ...(hint === undefined ? {} : {hint}),
    });
  }

  #pathOf(name: FieldName): TomlPath {
    return this.#fields.known.get(name)?.path ?? this.path;
  }

  #keyOf(name: FieldName): string {
    return this.#fields.known.get(name)?.key ?? name;
  }
}
