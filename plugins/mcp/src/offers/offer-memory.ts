import {createHash} from 'node:crypto';
import {rename} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {createPrivateFile, makePrivateFolder, readText} from '@gemini-kernel/files';
import {isTable} from '../config/is-table.js';
import type {ServerConfig} from '../config/server-config.js';
import {readExtras, type Extras} from './extras.js';
import type {RemoteTool} from './offered-tools.js';

/** What a server offered when it was last connected. */
export interface Remembered {
  readonly at: string;
  /** The name and version of the server. */
  readonly server: string;
  readonly protocol: string;
  readonly tools: readonly RemoteTool[];
  readonly extras: Extras;
}

interface Parts {
  readonly folder: string;
  /** Everything beside the configuration that makes it another server. */
  readonly salt: string;
  newId(): string;
}

/** A list that is older is asked for again before it is used. */
const FRESH_MS = 24 * 60 * 60 * 1000;

/** Remembers what servers offer, so that the first prompt need not wait for servers seen before. */
export class OfferMemory {
  constructor(private readonly parts: Parts) {}

  /** Undefined when nothing, something old or nothing readable is remembered for exactly this configuration. */
  async read(config: ServerConfig): Promise<Remembered | undefined> {
    const text = await readText(this.#file(config)).catch(() => '');
    const found = parse(text);
    if (!isTable(found)) return undefined;
    const {at, server, protocol, tools, extras} = found;
    if (typeof at !== 'string' || typeof server !== 'string' || typeof protocol !== 'string') return undefined;
    const age = Date.now() - Date.parse(at);
    if (!(age >= 0 && age < FRESH_MS) || !Array.isArray(tools)) return undefined;
    return {at, server, protocol, tools: tools.filter(isTable), extras: readExtras(extras)};
  }

  /** Never throws: without a memory the server is asked again. */
  async write(config: ServerConfig, remembered: Remembered): Promise<void> {
    const file = this.#file(config);
    const draft = `${file}.${this.parts.newId()}`;
    const write = async (): Promise<void> => {
      await makePrivateFolder(dirname(file));
      await createPrivateFile(draft, JSON.stringify(remembered));
      await rename(draft, file);
    };
    await write().catch(() => undefined);
  }

  #file({name, way}: ServerConfig): string {
    const key = createHash('sha256')
      .update(JSON.stringify([this.parts.salt, name, way]))
      .digest('hex');
    return join(this.parts.folder, 'offers', `${key.slice(0, 32)}.json`);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
