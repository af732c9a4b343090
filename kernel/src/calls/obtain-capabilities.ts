import {ToolError} from '../contract/error.js';
import type {ToolCall, Touch} from '../contract/tool-call.js';
import type {DispatchOptions} from '../hooks/dispatch.js';
import type {CallPath} from './call-path.js';
import {checkTouches} from './check-touches.js';
import type {Found} from './find-tool.js';

interface Needing {
  readonly path: CallPath;
  readonly found: Found;
  readonly stage: DispatchOptions;
  readonly call: ToolCall;
  readonly touches: readonly Touch[];
}

/** Asks for the optional capabilities that a call needs. Throws ToolError CAPABILITY_REFUSED, and as `checkTouches`. */
export async function obtainCapabilities({path, found, stage, call, touches}: Needing): Promise<void> {
  const {plugin, name: tool} = found;
  const {home} = stage.environment;
  for (const {capability, touch} of checkTouches(path.catalog.plugins.get(plugin), {tool, touches, home})) {
    const answer = await path.dispatch('capability:ask', {plugin, capability, call: call.id, tool, touch}, stage);
    if (answer?.granted === true) continue;
    throw new ToolError('CAPABILITY_REFUSED', `${tool} of ${plugin} needs ${capability}, which no one granted.`, {
      hint: 'A person is asked for it in a conversation.',
    });
  }
}
