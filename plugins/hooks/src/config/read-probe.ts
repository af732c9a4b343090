import type {HookProbe} from '../contract.js';
import {isTable} from '../is-table.js';

/** The probe of a hook, none, or what is wrong with it, as the end of a sentence. */
export type ProbeReading = {readonly probe?: HookProbe} | {readonly probeFault: string};

const DECISIONS: readonly unknown[] = ['deny', 'ask', 'allow'];
const DEFAULT_TOOL = 'run_shell_command';

/** Reads `probe` of a hook. One that is wrong does not keep the hook from running: the hook may guard. */
export function readProbe(value: unknown, isTool: boolean): ProbeReading {
  if (value === undefined) return {};
  if (!isTable(value)) return {probeFault: `it must be an object, not ${JSON.stringify(value)}`};
  const {input = {}, decision = 'deny'} = value;
  if (!isDecision(decision))
    return {probeFault: `"decision" must be "deny", "ask" or "allow", not ${JSON.stringify(decision)}`};
  if (!isTable(input)) return {probeFault: `"input" must be an object, not ${JSON.stringify(input)}`};
  if (isTool) return readTool(value['tool'] ?? DEFAULT_TOOL, {input, decision});
  return value['tool'] === undefined
    ? {probe: {input, decision}}
    : {probeFault: '"tool" is for BeforeTool and AfterTool only'};
}

function readTool(tool: unknown, rest: Pick<HookProbe, 'input' | 'decision'>): ProbeReading {
  return typeof tool === 'string' && tool !== ''
    ? {probe: {tool, ...rest}}
    : {probeFault: `"tool" must be the name of a tool, not ${JSON.stringify(tool)}`};
}

function isDecision(value: unknown): value is HookProbe['decision'] {
  return DECISIONS.includes(value);
}
