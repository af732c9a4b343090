import {realpath} from 'node:fs/promises';
import {relative, sep} from 'node:path';
import type {ExtensionSetting, ExtensionTheme} from '../contract.js';
import {describeBrought} from '../manifest/describe-brought.js';
import {isOwnKey, variablesOf} from '../manifest/fill-variables.js';
import {findContextFiles} from '../manifest/find-context-files.js';
import {readHooks} from '../manifest/read-hooks.js';
import type {Manifest} from '../manifest/read-manifest.js';

/** What a plugin needs to know of the extension that it is made of. */
export interface ConvertedParts {
  /** Of the extension, and of the plugin. */
  readonly name: string;
  readonly plugin: string;
  readonly version: string;
  readonly description: string;
  /** The name of its services behind the colon. */
  readonly owner: string;
  /** Relative to the extension, with forward slashes. */
  readonly contextFiles: readonly string[];
  readonly servers: Manifest['servers'];
  readonly hooks: Readonly<Record<string, unknown>> | undefined;
  readonly excludedTools: readonly string[];
  readonly hasCommands: boolean;
  readonly hasSkills: boolean;
  readonly hasPolicies: boolean;
  readonly themes: readonly ExtensionTheme[];
  readonly planFolder: string | undefined;
  readonly settings: readonly ExtensionSetting[];
  /** The section of its settings. */
  readonly section: string;
  /** Variables of the person that its servers read, without keys of models. */
  readonly variables: readonly string[];
}

const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/;

/** Reads an extension that was checked. */
export async function readParts(folder: string, manifest: Manifest): Promise<ConvertedParts> {
  const {name, servers, excludedTools, settings} = manifest;
  const {commands, skills, policies} = await describeBrought(folder, manifest);
  const root = await realpath(folder);
  const {files} = findContextFiles(folder, manifest);
  // The plugin fills in what depends on the platform when it runs.
  const reading = readHooks(folder, undefined);
  const owner = name.toLowerCase();
  return {
    name,
    owner,
    plugin: `gemini-plugin-${owner}`,
    version: VERSION.test(manifest.version) ? manifest.version : '0.0.0',
    description: manifest.description ?? `The extension ${name} as a plugin.`,
    contextFiles: files.map((file) => relative(root, file).split(sep).join('/')),
    servers,
    hooks: 'fault' in reading ? undefined : reading.hooks,
    excludedTools,
    hasCommands: commands.length > 0,
    hasSkills: skills.length > 0,
    hasPolicies: policies.length > 0,
    themes: manifest.themes,
    planFolder: manifest.planFolder,
    settings,
    section: sectionOf(owner),
    variables: [...new Set([...settings.map(({envVar}) => envVar), ...variablesOf(servers)])].filter(
      (variable) => !isOwnKey(variable),
    ),
  };
}

/** `my-server` as `myServer`. */
function sectionOf(owner: string): string {
  const words = owner.split('-').filter((word) => word !== '');
  const joined = words
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('');
  return /^[a-z]/.test(joined) ? joined : `extension${joined}`;
}
