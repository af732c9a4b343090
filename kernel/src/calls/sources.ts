import type {Catalog} from '../catalog/catalog.js';
import {findViolations} from '../catalog/schema.js';
import {KERNEL} from '../catalog/catalog-plugin.js';
import {messageOf} from '../contract/error.js';
import type {JSONSchema} from '../contract/json-schema.js';
import type {ScopeKind} from '../contract/session.js';
import {sourcedToolSchema, type SourcedTool, type ToolSource} from '../contract/source.js';
import {Deadline} from '../hooks/deadline.js';
import type {Stage} from '../hooks/dispatch.js';
import {toJson} from '../hooks/to-json.js';

const LIST_MS = 10_000;
const FAMILY = 'tools:';

/** A tool, and the source that runs it. */
export interface Sourced {
  readonly tool: SourcedTool;
  readonly plugin: string;
  readonly source: ToolSource;
}

/** The tools of all sources that a session has, each name once. */
export interface Listing {
  readonly tools: ReadonlyMap<string, Sourced>;
}

interface Listed {
  readonly tools: readonly SourcedTool[];
  readonly source: ToolSource | undefined;
}

/**
 * What sources list, kept until a source says that it changed. Of two tools of one name the one of a manifest counts,
 * then the first source's; a source that fails lists nothing. Both are reported once.
 */
export class Sources {
  /** By the key of the service. */
  readonly #listed = new Map<string, Promise<Listed>>();
  readonly #joined = new WeakMap<object, {readonly version: number; readonly listing: Promise<Listing>}>();
  /** Schemas by their text, so that the validator of one that stayed the same is not compiled again. */
  readonly #schemas = new Map<string, JSONSchema>();
  #version = 0;

  constructor(private readonly catalog: Catalog) {}

  /** Asks the source again when its list is next needed. */
  drop(key: string): void {
    this.#listed.delete(key);
    this.#version += 1;
  }

  /** Forgets the lists of a scope that closes: of sources that live in one such as it. */
  forget(kind: ScopeKind, keyOf: (name: string) => string): void {
    for (const {name, scope} of this.catalog.services.values())
      if (scope === kind && name.startsWith(FAMILY)) this.#listed.delete(keyOf(name));
  }

  /** Forgets all lists, because the plugins are others. */
  clear(): void {
    this.#listed.clear();
    this.#schemas.clear();
    this.#version += 1;
  }

  /** The tools that a session has. Waits no longer than the signal lets it. */
  async list(stage: Stage & {keyOf(name: string): string}, signal: AbortSignal | undefined): Promise<Listing> {
    const known = this.#joined.get(stage.session);
    const version = this.#version;
    const listing = known?.version === version ? known.listing : this.#join(stage);
    this.#joined.set(stage.session, {version, listing});
    return new Deadline('Listing tools', 0, signal).race(() => listing);
  }

  async #join(stage: Stage & {keyOf(name: string): string}): Promise<Listing> {
    const entries = [...this.catalog.services.values()].filter(({name}) => name.startsWith(FAMILY));
    const all = await Promise.all(
      entries.map(async ({name, plugin}) => {
        const key = stage.keyOf(name);
        const listed = this.#listed.get(key) ?? this.#ask(name, plugin, stage);
        this.#listed.set(key, listed);
        return {plugin, ...(await listed)};
      }),
    );
    const tools = new Map<string, Sourced>();
    for (const {plugin, tools: own, source} of all) {
      for (const tool of own) {
        const other = this.catalog.tools.get(tool.name)?.plugin ?? tools.get(tool.name)?.plugin;
        if (other !== undefined)
          this.#tell(stage, 'TOOL_TWICE', `The tool ${tool.name} of ${plugin} is left out: ${other} has it.`);
        else if (source) tools.set(tool.name, {tool, plugin, source});
      }
    }
    return {tools};
  }

  async #ask(name: string, plugin: string, stage: Stage): Promise<Listed> {
    try {
      const source = await stage.lookup(name as `tools:${string}`, KERNEL);
      const given = await new Deadline(`${plugin} at list of ${name}`, LIST_MS, undefined).race(() => source.list());
      const tools = toJson(given, 'the list');
      const [fault] = await findViolations({type: 'array', items: sourcedToolSchema}, tools, 'the list');
      if (fault) throw new TypeError(fault);
      return {source, tools: tools.map((tool) => this.#keepSchemas(tool))};
    } catch (error) {
      this.#tell(stage, 'SOURCE_FAILED', `The tools of ${name} (${plugin}) are left out: ${messageOf(error)}`);
      return {source: undefined, tools: []};
    }
  }

  #keepSchemas(tool: SourcedTool): SourcedTool {
    const keep = (schema: JSONSchema): JSONSchema => {
      const text = JSON.stringify(schema);
      const kept = this.#schemas.get(text) ?? schema;
      this.#schemas.set(text, kept);
      return kept;
    };
    return {...tool, input: keep(tool.input), ...(tool.output ? {output: keep(tool.output)} : {})};
  }

  #tell({tell}: Stage, code: string, sentence: string): void {
    tell({code, sentence, once: sentence});
  }
}
