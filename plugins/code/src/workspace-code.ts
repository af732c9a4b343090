import type {Search} from './search-service.js';
import {isIndexed, languages} from './languages/languages.js';
import type {FileList} from './table/code-index.js';

/** Directories that hold no code of the project, as grep_search passes them by. */
const WITHOUT = [
  ...['node_modules', '.git', 'bower_components', '.svn', '.hg', '.vscode', '.idea', 'dist', 'build', 'coverage'],
  '__pycache__',
];

/** The files of a known language in the directories of the workspace, without what is ignored. */
export function codeFiles(search: Search): FileList {
  const endings = languages.flatMap((one) => one.endings.map((ending) => ending.slice(1)));
  const wants = {matches: isIndexed, nameGlob: `*.{${endings.join(',')}}`};
  return {
    key: 'workspace',
    async read(signal) {
      const paths: string[] = [];
      await search.list({
        places: await search.places(),
        ignore: {},
        withoutFolders: WITHOUT,
        withoutEndings: [],
        wants,
        signal,
        onPaths: (found) => paths.push(...found.filter(isIndexed)),
      });
      return paths.sort();
    },
  };
}
