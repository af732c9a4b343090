/** The tool that runs an agent. */
export const INVOKE = 'invoke_agent';
