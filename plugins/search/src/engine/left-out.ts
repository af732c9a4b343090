/** Directories that no search enters unless it begins in them. */
export const NEVER_ENTERED = ['node_modules', '.git', 'bower_components', '.svn', '.hg'];

/** Directories that a search for text passes by besides, unless it is to ignore nothing. */
export const NOT_SEARCHED = [...NEVER_ENTERED, '.vscode', '.idea', 'dist', 'build', 'coverage', '__pycache__'];

/** Endings of files that it passes by. */
export const NOT_SEARCHED_ENDINGS = ['.log', '.tmp'];
