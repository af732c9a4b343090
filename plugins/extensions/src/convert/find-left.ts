import {stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describeBrought, UNREADABLE} from '../manifest/describe-brought.js';
import type {Manifest} from '../manifest/read-manifest.js';
import type {ConvertedParts} from './read-parts.js';

/** Something of an extension that a plugin does not do, or does otherwise. */
export interface LeftPart {
  readonly what: string;
  /** A sentence. */
  readonly reason: string;
}

/** What the plugin does not do as the extension does. */
export async function findLeft(
  folder: string,
  manifest: Manifest,
  {plugin, version, contextFiles, settings, themes}: ConvertedParts,
): Promise<readonly LeftPart[]> {
  const {agents, hooks} = await describeBrought(folder, manifest);
  const unreadable = hooks.find(({event}) => event === UNREADABLE);
  const has = async (name: string): Promise<boolean> =>
    (await stat(join(folder, name)).catch(() => undefined)) !== undefined;
  const hasValues = settings.length > 0 && (await has('.env'));
  return [
    ...(agents.length > 0 ? [{what: 'agents', reason: 'A plugin gives no agents. Their files are in it.'}] : []),
    ...(unreadable ? [{what: 'hooks', reason: `They cannot be read: ${unreadable.command}.`}] : []),
    ...(contextFiles.length > 0
      ? [{what: 'context', reason: 'The model gets it marked as text of others, as from every installed plugin.'}]
      : []),
    ...(themes.length > 0
      ? [
          {
            what: 'themes',
            reason: `They have other names: ${themes.map(({name}) => `${name} (${plugin})`).join(', ')}.`,
          },
        ]
      : []),
    ...(settings.length > 0
      ? [
          {
            what: 'values of settings',
            reason: `Set them again with \`gemini settings set\`${hasValues ? '; those in .env are not copied' : ''}.`,
          },
        ]
      : []),
    ...((await has('node_modules'))
      ? [
          {
            what: 'node_modules',
            reason: 'They are in the folder, but npm does not pack them. Bundle what the servers need into one file.',
          },
        ]
      : []),
    ...(manifest.migratedTo === undefined
      ? []
      : [{what: 'migratedTo', reason: 'A plugin is updated from where it was installed.'}]),
    ...(version === manifest.version
      ? []
      : [{what: `version ${manifest.version}`, reason: `A plugin needs a semantic version; it is ${version} now.`}]),
  ];
}
