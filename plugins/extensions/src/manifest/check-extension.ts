import {readTheme} from '@gemini-kernel/terminal';
import type {Brought} from '../contract.js';
import {describeBrought, UNREADABLE} from './describe-brought.js';
import {findContextFiles} from './find-context-files.js';
import {readManifest, type Manifest} from './read-manifest.js';

export interface ExtensionCheck {
  /** Clauses. */
  readonly faults: readonly string[];
  /** Sentences. */
  readonly warnings: readonly string[];
  readonly manifest?: Manifest;
  readonly brings?: Brought;
}

const VERSION = /^\d+\.\d+\.\d+(?:[-+].+)?$/;

/** What is wrong with an extension, and what an author may want to know. */
export async function checkExtension(folder: string): Promise<ExtensionCheck> {
  const reading = readManifest(folder);
  if ('fault' in reading) return {faults: [reading.fault], warnings: []};
  const {manifest} = reading;
  const {faults} = findContextFiles(folder, manifest);
  const brings = await describeBrought(folder, manifest);
  const warnings = [
    ...(VERSION.test(manifest.version) ? [] : [`The version ${manifest.version} is not a semantic version.`]),
    ...brings.hooks.filter(({event}) => event === UNREADABLE).map(({command}) => `Its hooks are not used: ${command}.`),
    ...themeWarnings(manifest),
    ...(manifest.planFault === undefined ? [] : [`Its folder for plans is not used: ${manifest.planFault}.`]),
    ...(manifest.migratedTo === undefined ? [] : [`It has moved to ${manifest.migratedTo}.`]),
  ];
  return {faults: faults.map((fault) => fault.replace(/^The/, 'the').replace(/\.$/, '')), warnings, manifest, brings};
}

/** What is wrong with themes: those that cannot be chosen, and colours that are not used. */
function themeWarnings({themes, themeFaults}: Manifest): readonly string[] {
  return [
    ...themeFaults.map((fault) => `A theme is not used: ${fault}.`),
    ...themes.flatMap(({name, colours}) => readTheme(colours).faults.map((fault) => `Its theme "${name}": ${fault}`)),
  ];
}
