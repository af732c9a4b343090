import {isDeepStrictEqual} from 'node:util';
import type {ToolResult} from '../contract/tool-call.js';

/**
 * A result after its listeners. One that changed `model` and not `plain` may have taken something out: `plain` goes.
 */
export function settlePlain({model, plain}: ToolResult, after: ToolResult): ToolResult {
  if (plain === undefined || plain !== after.plain || isDeepStrictEqual(model, after.model)) return after;
  const {plain: _, ...rest} = after;
  return rest;
}
