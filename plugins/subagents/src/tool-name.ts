/** The tool that runs an agent. */
export const INVOKE = 'invoke_agent';
/** The tool that reads the documentation of this program. */
export const DOCS = 'get_internal_docs';
