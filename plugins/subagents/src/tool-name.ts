/** The tool that runs an agent. */
export const INVOKE = 'invoke_agent';
/**
 * The tool that asks a remote agent, by its name. `invoke_agent` calls it, and no model is given it: so each remote agent
 * is asked about, allowed and denied by rules on its own.
 */
export const REMOTE = 'remote_agent_';
/** The tool that reads the documentation of this program. */
export const DOCS = 'get_internal_docs';
