// The names of the SDK of Gemini CLI, over this one. The README says what differs.
export {GeminiCliAgent, type GeminiCliAgentOptions, type SystemInstructions} from './agent.js';
export type {AgentFilesystem, AgentShell, AgentShellOptions, AgentShellResult, SessionContext} from './context.js';
export type {ServerEvent} from './server-event.js';
export {GeminiCliSession} from './session.js';
export {ModelVisibleError, tool, type Tool, type ToolDefinition} from './tool.js';
export {skillDir, type SkillReference} from './skill-dir.js';
