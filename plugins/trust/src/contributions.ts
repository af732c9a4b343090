import type {Contribution} from './contract.js';

/** What an untrusted folder may contribute: nothing that acts without you. The one place that says so. */
export const contributions: Readonly<Record<Contribution, {readonly untrusted: boolean; readonly meaning: string}>> = {
  settings: {untrusted: false, meaning: 'the settings in .gemini/settings.json'},
  policies: {untrusted: false, meaning: 'the rules in .gemini/policies'},
  'env-file': {untrusted: false, meaning: 'variables of .env files other than keys of the model'},
  'context-files': {untrusted: false, meaning: 'instructions to the model, such as GEMINI.md'},
  commands: {untrusted: false, meaning: 'slash commands in .gemini/commands'},
  agents: {untrusted: false, meaning: 'agents in .gemini/agents'},
  skills: {untrusted: false, meaning: 'skills in .gemini/skills and .agents/skills'},
  hooks: {untrusted: false, meaning: 'hooks of the project'},
  'mcp-servers': {untrusted: false, meaning: 'MCP servers that the project configures'},
  'extension-servers': {untrusted: false, meaning: 'MCP servers that extensions start as programs'},
  'approval-modes': {untrusted: false, meaning: 'the approval modes auto_edit and yolo'},
  'shell-defaults': {untrusted: false, meaning: 'reading commands, such as ls, that run without a question'},
};
