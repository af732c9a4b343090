import {ToolError} from '../contract/error.js';
import type {Confirmation} from '../contract/moments/tool-confirm.js';
import type {Preview, ToolCall} from '../contract/tool-call.js';
import type {Tool} from '../contract/tool.js';

interface Answered {
  readonly call: ToolCall;
  readonly preview: Preview | undefined;
  readonly answer: Confirmation;
}

/**
 * The input that a person made of the one they were shown; undefined when they left it as it was. Throws ToolError
 * TOOL_EDIT_UNSUPPORTED.
 */
export async function reviseInput(tool: Tool, {call, preview, answer: {input, text}}: Answered): Promise<unknown> {
  const diff = preview?.kind === 'diff' ? preview : undefined;
  if (text === undefined || text === diff?.after) return input;
  if (tool.revise && diff) return tool.revise(call.input, {before: diff.before, text});
  throw new ToolError(
    'TOOL_EDIT_UNSUPPORTED',
    `What ${call.tool} was to write was edited, and it cannot take another text.`,
    {hint: 'Approve it without editing, or refuse it and say what should be different.'},
  );
}
