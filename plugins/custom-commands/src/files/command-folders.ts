import {realpathSync} from 'node:fs';
import {join} from 'node:path';
import type {ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-trust/contract';
import type {CommandFolder, SearchedFolder} from '../contract.js';

/** The schema of the items of a source of folders. */
const folderItem = {
  type: 'object',
  required: ['folder', 'owner'],
  properties: {
    folder: {type: 'string', minLength: 1},
    owner: {type: 'string', minLength: 1, maxLength: 100},
  },
} as const;

type Context = Pick<ServiceContext, 'environment' | 'service' | 'sources'>;

/** The folders of commands of a place, those that count more first. */
export async function commandFolders({environment, service, sources}: Context): Promise<readonly SearchedFolder[]> {
  const {home, cwd} = environment;
  const trust = await service('trust');
  const isHome = realOf(cwd) === realOf(home);
  const leftOut = (await trust.may('commands')) ? {} : {leftOut: `${cwd} is not a trusted folder.`};
  const project: SearchedFolder = {folder: join(cwd, '.gemini', 'commands'), origin: {kind: 'project'}, ...leftOut};
  const lists = await sources<CommandFolder>('command-folders', folderItem);
  const brought = lists.flatMap(({items, isOurs, plugin}) =>
    items.map(({folder, owner}): SearchedFolder => {
      // An installed plugin speaks for itself only.
      return {folder, origin: {kind: 'extension', name: isOurs ? owner : plugin}};
    }),
  );
  return [
    ...(isHome ? [] : [project]),
    {folder: join(home, '.gemini', 'commands'), origin: {kind: 'person'}},
    ...brought.sort((a, b) => ((a.origin.name ?? '') < (b.origin.name ?? '') ? -1 : 1)),
  ];
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error;
    return folder;
  }
}
