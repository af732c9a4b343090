/** The variable of places that are served to an editor. Without it, no listener of this plugin is loaded. */
export const SERVED = 'GEMINI_CLI_ACP';
export const present = [`$${SERVED}`] as const;
