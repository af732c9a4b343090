/** The variable of Gemini CLI that says a run is in its worktree; here it names the folder, so that others may begin. */
export const HANDLED = 'GEMINI_CLI_WORKTREE_HANDLED';
