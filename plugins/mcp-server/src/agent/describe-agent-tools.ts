import type {Tool} from '#sdk';

const output = {
  type: 'object' as const,
  required: ['thread_id', 'status', 'text'],
  properties: {
    thread_id: {type: 'string', description: 'Give it to agent_continue.'},
    status: {enum: ['done', 'refused', 'aborted', 'failed', 'limit', 'loop', 'invalid']},
    text: {type: 'string', description: 'The last message of the agent.'},
    changed: {type: 'array', items: {type: 'string'}, description: 'Files that it changed.'},
    refused: {type: 'array', items: {type: 'string'}, description: 'Tools of calls that were not allowed.'},
    error: {type: 'object', properties: {code: {type: 'string'}, message: {type: 'string'}}},
  },
};
const annotations = {readOnlyHint: false, destructiveHint: true, openWorldHint: true};
const prompt = {type: 'string', minLength: 1, description: 'What to do.'};

/** The agent as two tools. */
export const agentTools: readonly Tool[] = [
  {
    name: 'agent_start',
    description: 'Gives a task to a coding agent that works in this workspace, in a new thread, and waits for the end.',
    inputSchema: {
      type: 'object',
      required: ['prompt'],
      properties: {prompt, model: {type: 'string', description: 'The model to use; the configured one by default.'}},
    },
    outputSchema: output,
    annotations,
  },
  {
    name: 'agent_continue',
    description: 'Continues a thread of agent_start with another prompt.',
    inputSchema: {
      type: 'object',
      required: ['thread_id', 'prompt'],
      properties: {thread_id: {type: 'string', description: 'From the result of agent_start.'}, prompt},
    },
    outputSchema: output,
    annotations,
  },
];
