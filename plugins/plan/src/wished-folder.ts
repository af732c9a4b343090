import {isAbsolute} from 'node:path';
import {isKernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {PlanFolderWish} from './contract.js';
import {findOwnFolder} from './plan-folder.js';

const wishItem = {
  type: 'object',
  required: ['owner', 'directory'],
  properties: {
    owner: {type: 'string', minLength: 1, maxLength: 100},
    directory: {type: 'string', minLength: 1, maxLength: 1000},
  },
} as const;

type Context = Pick<ServiceContext, 'environment' | 'sources' | 'tell'>;

/** The real path of the first folder that an extension names and that is inside the project; others are named. */
export async function findWishedFolder({environment, sources, tell}: Context): Promise<string | undefined> {
  const lists = await sources<PlanFolderWish>('plan-folders', wishItem);
  const wishes = lists.flatMap(({items, isOurs, plugin}) =>
    // An installed plugin speaks for itself only.
    items.map(({owner, directory}) => ({owner: isOurs ? owner : plugin, directory})),
  );
  for (const {owner, directory} of wishes) {
    const found = isInner(directory) ? await findOwnFolder(directory, environment.cwd).catch(ignoreOutside) : undefined;
    if (found !== undefined) return found;
    const sentence =
      `The folder for plans ${JSON.stringify(directory)} of ${owner} is not used: it must be a folder inside ` +
      `${environment.cwd}.`;
    tell({code: 'PLAN_FOLDER_LEFT_OUT', sentence, once: sentence});
  }
  return undefined;
}

/** Whether a path is relative, and does not lead out on its way. */
function isInner(directory: string): boolean {
  return !isAbsolute(directory) && !/^[A-Za-z]:/.test(directory) && !directory.split(/[/\\]/).includes('..');
}

function ignoreOutside(error: unknown): undefined {
  if (!isKernelError(error) || error.code !== 'PLAN_DIRECTORY_OUTSIDE') throw error;
}
