import type {HookInfo} from './contract.js';

type Table = Readonly<Record<string, unknown>>;

/** Whether hooks of an event are about calls of a tool. */
export function isAboutTools(event: string): boolean {
  return event === 'BeforeTool' || event === 'AfterTool';
}

/** What a hook gets at a made event. `given` are the arguments of the call, or the fields of another event. */
export function makeInput({event}: Pick<HookInfo, 'event'>, tool: string, given: Table): Table {
  if (!isAboutTools(event)) return given;
  const call = {tool_name: tool, tool_input: given};
  return event === 'BeforeTool'
    ? call
    : {...call, tool_response: {llmContent: 'A made result.', returnDisplay: null, error: null}};
}
