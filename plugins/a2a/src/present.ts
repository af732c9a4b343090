/** A variable in the sessions of tasks of other agents: only there do the listeners of this plugin load. */
export const SERVED = 'GEMINI_CLI_A2A';
export const present = [`$${SERVED}`];
