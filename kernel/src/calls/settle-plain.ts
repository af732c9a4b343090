import type {ToolResult} from '../contract/tool.js';

/**
 * A result after its listeners. One that changed `model` and not `plain` may have taken something out: `plain` goes.
 */
export function settlePlain({model, plain}: ToolResult, given: unknown): ToolResult {
  const after = given as ToolResult;
  if (plain === undefined || plain !== after.plain || model === after.model) return after;
  const {plain: _, ...rest} = after;
  return rest;
}
