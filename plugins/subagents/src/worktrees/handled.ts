/** The variable of Gemini CLI that says a run is in its worktree. Here it names the folder: others may begin there. */
export const HANDLED = 'GEMINI_CLI_WORKTREE_HANDLED';
