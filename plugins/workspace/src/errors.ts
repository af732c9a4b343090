import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  DIRECTORY_MISSING: {when: 'A directory named for the workspace does not exist.', exit: 42},
  DIRECTORY_NOT_A_DIRECTORY: {
    when: 'A path named as a directory for the workspace is not a directory.',
    exit: 42,
  },
  DIRECTORY_UNREADABLE: {
    when: 'A directory named for the workspace cannot be reached: no permission, or a loop of links.',
    exit: 42,
  },
  DIRECTORY_NOT_KEPT: {when: 'A directory to be removed is not in those settings.', exit: 42},
  PATH_CHANGED: {when: 'A file was replaced or moved between the check of its path and its use.'},
  PATH_INVALID: {when: 'A path is empty or contains a NUL character.'},
  PATH_OUTSIDE_WORKSPACE: {when: 'A real path is in none of the directories that tools may reach.'},
  PATH_UNRESOLVABLE: {
    when:
      'A path has no real path: a loop of links, a name that is too long, a file in place of a directory, ' +
      'or no permission.',
  },
  PROJECT_UNWRITABLE: {when: 'No folder for the files of a project can be created below the home directory.'},
  WORKSPACE_CONFINED: {when: 'A directory is added to a session whose sandbox profile is restrictive.'},
} as const satisfies ErrorTable;
