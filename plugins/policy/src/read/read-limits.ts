import {basename, isAbsolute} from 'node:path';
import {findNearest} from '@gemini-kernel/kernel';
import {onlyTightens, type Mode, type ModeTable, type Problem, type SandboxGrant, type SandboxLimits} from '../rule.js';
import type {RuleFile} from './entry.js';
import {isTable} from './rule-keys.js';
import type {TomlPath, TomlPlaces} from './toml-places.js';

/** The tables of such a file that hold no rules. */
export const LIMIT_KEYS: readonly string[] = ['modes', 'commands'];

const NAME = 'sandbox.toml';
/** As the file of the reference names them, and as modes are called here. */
const MODES: Readonly<Record<string, Mode>> = {
  plan: 'plan',
  default: 'default',
  accepting_edits: 'auto_edit',
  autoEdit: 'auto_edit',
  auto_edit: 'auto_edit',
  yolo: 'yolo',
};
const MODE_KEYS = ['network', 'readonly', 'approvedTools', 'allowOverrides'];
const COMMAND_KEYS = ['allowed_paths', 'allow_network'];

type Table = Readonly<Record<string, unknown>>;

interface Source {
  readonly file: RuleFile;
  readonly places: TomlPlaces;
  readonly problems: Problem[];
}

/** Whether a file can say what commands reach in the sandbox. The product's own rules say nothing of that. */
export function isLimitsFile({file, tier}: Pick<RuleFile, 'file' | 'tier'>): boolean {
  return tier !== 'default' && basename(file.replaceAll('\\', '/')) === NAME;
}

/** Reads the tables `modes` and `commands`. What a project or an extension loosens by them does not count. */
export function readLimits(root: Table, source: Source): SandboxLimits | undefined {
  const reader = new LimitsReader(source);
  const modes = reader.entries(root['modes'], ['modes']).flatMap(([name, value]) => reader.mode(name, value));
  const commands = reader
    .entries(root['commands'], ['commands'])
    .flatMap(([name, value]) => reader.command(name, value));
  return modes.length + commands.length > 0
    ? {tightens: reader.tightens, modes: Object.fromEntries(modes), commands}
    : undefined;
}

class LimitsReader {
  readonly tightens: boolean;

  constructor(private readonly source: Source) {
    this.tightens = onlyTightens({source: source.file});
  }

  entries(value: unknown, path: TomlPath): readonly (readonly [name: string, value: unknown])[] {
    if (value === undefined) return [];
    if (isTable(value)) return Object.entries(value);
    this.#tell('error', path, {message: `"${path.join('.')}" must be a table.`});
    return [];
  }

  mode(name: string, value: unknown): readonly (readonly [Mode, ModeTable])[] {
    const path = ['modes', name];
    const mode = Object.hasOwn(MODES, name) ? MODES[name] : undefined;
    if (mode === undefined) {
      this.#tellUnknown(path, 'mode', Object.keys(MODES));
      return [];
    }
    const given = this.#known(value, path, MODE_KEYS);
    const table: ModeTable = {
      ...this.#said('network', this.#truth(given, path, 'network'), [...path, 'network'], false),
      ...this.#said('readOnly', this.#truth(given, path, 'readonly'), [...path, 'readonly'], true),
      ...this.#said('hasOverrides', this.#truth(given, path, 'allowOverrides'), [...path, 'allowOverrides'], false),
      ...this.#said('approved', this.#texts(given, path, 'approvedTools'), [...path, 'approvedTools']),
    };
    if (mode === 'plan') this.#tellPlan(given, path);
    return [[mode, table]];
  }

  command(prefix: string, value: unknown): SandboxLimits['commands'] {
    const path = ['commands', prefix];
    if (this.tightens) {
      this.#tellInVain(path, `[commands.${prefix}]`);
      return [];
    }
    const given = this.#known(value, path, COMMAND_KEYS);
    const paths = (this.#texts(given, path, 'allowed_paths') ?? []).flatMap((one, index) =>
      this.#path(one, [...path, 'allowed_paths', index]),
    );
    const grant: SandboxGrant = {
      ...(paths.length > 0 ? {write: paths} : {}),
      ...(this.#truth(given, path, 'allow_network') === true ? {network: true} : {}),
    };
    return Object.keys(grant).length > 0 ? [{prefix, grant, from: this.#place(path)}] : [];
  }

  /** A value with its place; of a project's only the one that is stricter. */
  #said<K extends string, V>(
    name: K,
    value: V | undefined,
    path: TomlPath,
    stricter?: V,
  ): Partial<Record<K, {readonly value: V; readonly from: string}>> {
    if (value === undefined) return {};
    if (this.tightens && value !== stricter) {
      // What is the same without it needs no warning.
      if (value === true || stricter === true) this.#tellInVain(path, `"${String(path.at(-1))}"`);
      return {};
    }
    return {[name]: {value, from: this.#place(path)}} as Record<K, {readonly value: V; readonly from: string}>;
  }

  #tellPlan(given: Table, path: TomlPath): void {
    const approved = given['approvedTools'];
    if (given['readonly'] === false)
      this.#tell('warning', [...path, 'readonly'], {message: 'Plan mode writes nothing, so "readonly" is not used.'});
    if (Array.isArray(approved) && approved.length > 0)
      this.#tell('warning', [...path, 'approvedTools'], {
        message: 'Plan mode writes nothing, so "approvedTools" is not used.',
      });
  }

  #known(value: unknown, path: TomlPath, keys: readonly string[]): Table {
    const table = Object.fromEntries(this.entries(value, path));
    for (const key of Object.keys(table)) if (!keys.includes(key)) this.#tellUnknown([...path, key], 'key', keys);
    return table;
  }

  #truth(table: Table, path: TomlPath, key: string): boolean | undefined {
    const value = table[key];
    if (value === undefined || typeof value === 'boolean') return value;
    this.#tell('error', [...path, key], {message: `"${key}" must be true or false, not ${say(value)}.`});
    return undefined;
  }

  #texts(table: Table, path: TomlPath, key: string): readonly string[] | undefined {
    const value = table[key];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    this.#tell('error', [...path, key], {message: `"${key}" must be a list of texts, not ${say(value)}.`});
    return undefined;
  }

  #path(text: string, path: TomlPath): readonly string[] {
    if ((isAbsolute(text) || text.startsWith('~/')) && !text.includes('\0')) return [text];
    this.#tell('error', path, {
      message: `"allowed_paths" takes absolute paths, not "${text}".`,
      hint: 'Write the whole path, or begin it with ~/.',
    });
    return [];
  }

  #tellInVain(path: TomlPath, what: string): void {
    this.#tell('warning', path, {
      message: `A project or an extension loosens nothing for commands in the sandbox; ${what} is not used.`,
      hint: 'Put it into ~/.gemini/policies/sandbox.toml if you want it.',
    });
  }

  #tellUnknown(path: TomlPath, kind: 'mode' | 'key', names: readonly string[]): void {
    const name = String(path.at(-1));
    const nearest = findNearest(name, names)[0];
    // A slip could have been meant to make something stricter.
    this.#tell(nearest === undefined ? 'warning' : 'error', path, {
      message: `There is no ${kind} "${name}"; what it holds is not used.`,
      hint: nearest === undefined ? `There are: ${names.join(', ')}.` : `Did you mean "${nearest}"?`,
    });
  }

  #tell(severity: Problem['severity'], path: TomlPath, said: Pick<Problem, 'message' | 'hint'>): void {
    const {file, places, problems} = this.source;
    problems.push({severity, tier: file.tier, file: file.file, ...places.find(path), ...said});
  }

  #place(path: TomlPath): string {
    const {file, places} = this.source;
    return `${file.label}:${places.find(path).line}`;
  }
}

function say(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
