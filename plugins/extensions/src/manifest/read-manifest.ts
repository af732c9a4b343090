import {join} from 'node:path';
import {readTextSync} from '@gemini-kernel/files';
import {messageOf} from '@gemini-kernel/kernel';
import type {ExtensionSetting} from '../contract.js';
import {isTable} from './is-table.js';
import {readPlan, type ReadPlan} from './read-plan.js';
import {readThemes, type ReadThemes} from './read-themes.js';

type Table = Readonly<Record<string, unknown>>;

export const MANIFEST = 'gemini-extension.json';
const NAME = /^[a-zA-Z0-9-]{1,100}$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const USUAL_CONTEXT = 'GEMINI.md';

/** What `gemini-extension.json` says, checked; variables are not filled in. */
export interface Manifest extends ReadThemes, ReadPlan {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  /** As written; `undefined` when the manifest names none and the usual file counts if it is there. */
  readonly contextFiles: readonly string[];
  readonly namesContext: boolean;
  readonly servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly excludedTools: readonly string[];
  readonly settings: readonly ExtensionSetting[];
  readonly migratedTo?: string;
}

/** A manifest, or the reason why a folder has none that counts, as a clause. */
export type ManifestReading = {readonly manifest: Manifest} | {readonly fault: string};

/**
 * Reads the manifest of a folder, by the thread that asks: a start waits for it. A part that does not fit is a fault: a
 * person has agreed to the whole.
 */
export function readManifest(folder: string): ManifestReading {
  let text: string;
  try {
    text = readTextSync(join(folder, MANIFEST));
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return {fault: isMissing ? `it has no ${MANIFEST}` : messageOf(error).replace(/\.$/, '')};
  }
  try {
    return parseManifest(JSON.parse(text) as unknown);
  } catch (error) {
    return {fault: `its ${MANIFEST} is not JSON: ${messageOf(error)}`};
  }
}

/** Checks what a manifest says. */
export function parseManifest(value: unknown): ManifestReading {
  if (!isTable(value)) return {fault: `its ${MANIFEST} must be an object`};
  const parts = {
    ...readNames(value),
    contextFiles: readTexts(value, 'contextFileName'),
    excludedTools: readTexts(value, 'excludeTools'),
    settings: readSettings(value['settings']),
    servers: readServers(value['mcpServers']),
  };
  const fault = Object.values(parts).find((part) => part instanceof Fault);
  if (fault) return {fault: fault.clause};
  const {contextFiles, ...sound} = parts as {
    readonly [K in keyof typeof parts]: Exclude<(typeof parts)[K], Fault>;
  };
  return {
    manifest: {
      ...sound,
      contextFiles: contextFiles.length > 0 ? contextFiles : [USUAL_CONTEXT],
      namesContext: contextFiles.length > 0,
      ...readThemes(value['themes']),
      ...readPlan(value['plan']),
      ...optional(value),
    },
  };
}

/** Why a part does not count, as a clause. */
class Fault {
  constructor(readonly clause: string) {}
}

function readNames({name, version}: Table): {readonly name: string | Fault; readonly version: string | Fault} {
  return {
    name:
      typeof name === 'string' && NAME.test(name)
        ? name
        : new Fault(`its name must consist of letters, digits and dashes, not ${JSON.stringify(name)}`),
    version:
      typeof version === 'string' && version !== ''
        ? version
        : new Fault(`its version must be text, not ${JSON.stringify(version)}`),
  };
}

function optional({description, migratedTo}: Table): Pick<Manifest, 'description' | 'migratedTo'> {
  return {
    ...(typeof description === 'string' ? {description} : {}),
    ...(typeof migratedTo === 'string' ? {migratedTo} : {}),
  };
}

function readTexts(table: Table, key: string): readonly string[] | Fault {
  const value = table[key] ?? [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isSound = list.every((one) => typeof one === 'string' && one !== '');
  return isSound ? (list as readonly string[]) : new Fault(`its ${key} must be a text or a list of texts`);
}

function readSettings(value: unknown = []): readonly ExtensionSetting[] | Fault {
  if (!Array.isArray(value)) return new Fault('its settings must be a list');
  const settings: ExtensionSetting[] = [];
  for (const [index, one] of (value as readonly unknown[]).entries()) {
    const {name, description = '', envVar, sensitive} = isTable(one) ? one : {};
    if (typeof name !== 'string' || typeof envVar !== 'string' || !VARIABLE.test(envVar))
      return new Fault(`its settings[${index}] must have a name and an envVar that can be the name of a variable`);
    settings.push({name, description: String(description), envVar, isSecret: sensitive === true});
  }
  return settings;
}

/** What a server may do is the person's to say: an extension cannot trust its own. */
function readServers(value: unknown = {}): Manifest['servers'] | Fault {
  if (!isTable(value)) return new Fault('its mcpServers must be an object');
  const servers: Record<string, Readonly<Record<string, unknown>>> = {};
  for (const [name, one] of Object.entries(value)) {
    if (!isTable(one)) return new Fault(`its mcpServers.${name} must be an object`);
    const {trust, sampling, ...rest} = one;
    void [trust, sampling];
    Object.defineProperty(servers, name, {value: rest, enumerable: true});
  }
  return servers;
}
