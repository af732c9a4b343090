import type {Catalog} from '../catalog/catalog.js';
import type {JSONSchema} from '../contract/json-schema.js';
import {sourcedToolSchema, type SourcedTool, type ToolSource} from '../contract/source.js';
import {Deadline} from '../hooks/deadline.js';
import type {KeptLists, ListStage} from '../scopes/kept-lists.js';

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

/**
 * The tools that sources list. Of two tools of one name the one of a manifest counts, then the first source's; that is
 * reported once.
 */
export class Sources {
  readonly #joined = new WeakMap<object, {readonly version: number; readonly listing: Promise<Listing>}>();
  /** Schemas by their text, so that the validator of one that stayed the same is not compiled again. */
  readonly #schemas = new Map<string, JSONSchema>();
  #version = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly lists: KeptLists,
  ) {}

  /** Some source of tools lists others now. */
  renew(): void {
    this.#version += 1;
  }

  /** Forgets all of it, because the plugins are others. */
  clear(): void {
    this.lists.clear();
    this.#schemas.clear();
    this.#version += 1;
  }

  /** The tools that a session has. Waits no longer than the signal lets it. */
  async list(stage: ListStage, signal: AbortSignal | undefined): Promise<Listing> {
    const known = this.#joined.get(stage.session);
    const version = this.#version;
    const listing = known?.version === version ? known.listing : this.#join(stage);
    this.#joined.set(stage.session, {version, listing});
    return new Deadline('Listing tools', 0, signal).race(() => listing);
  }

  async #join(stage: ListStage): Promise<Listing> {
    const names = [...this.catalog.services.keys()].filter((name) => name.startsWith(FAMILY));
    const tools = new Map<string, Sourced>();
    const lists = await this.lists.list<SourcedTool, ToolSource>(names, sourcedToolSchema, stage);
    for (const {plugin, items, service: source} of lists) {
      for (const tool of items.map((one) => this.#keepSchemas(one))) {
        const other = this.catalog.tools.get(tool.name)?.plugin ?? tools.get(tool.name)?.plugin;
        if (other !== undefined) {
          const sentence = `The tool ${tool.name} of ${plugin} is left out: ${other} has it.`;
          stage.tell({code: 'TOOL_TWICE', sentence, once: sentence});
        } else if (source) tools.set(tool.name, {tool, plugin, source});
      }
    }
    return {tools};
  }

  #keepSchemas(tool: SourcedTool): SourcedTool {
    const keep = (schema: JSONSchema): JSONSchema => {
      const text = JSON.stringify(schema);
      const kept = this.#schemas.get(text) ?? schema;
      this.#schemas.set(text, kept);
      return kept;
    };
    const input = keep(tool.input);
    const output = tool.output && keep(tool.output);
    if (input === tool.input && output === tool.output) return tool;
    return {...tool, input, ...(output ? {output} : {})};
  }
}
