import type {ToolInfo} from '@gemini-kernel/kernel';
import type {AgentParts} from './agent-parts.js';
import {prepareSettings} from './agent-settings.js';
import type {RequestFrame, ToolDeclaration} from './contract.js';
import {estimateText} from './estimate-tokens.js';
import {fitLimits} from './make-room.js';
import {nameOf} from './model-route.js';
import {composeSystem, sectionsOf, type Place} from './system-instruction.js';

/** The instruction above a conversation, for the tools that it has. */
export function instructionFor(parts: AgentParts, tools: readonly ToolInfo[]): Promise<string> {
  return composeSystem(placeFor(parts, tools), parts.state.systemSections ?? []);
}

function placeFor(
  {context: {environment, session, dispatch}, state, variable, isTrusted}: AgentParts,
  tools: readonly ToolInfo[],
): Place {
  return {
    ...{environment, variable, isTrusted, tools: new Set(tools.map(({name}) => name))},
    ...{mode: session.mode, interactive: session.interactive, role: state.role?.instruction},
    compose: (value) => dispatch('instruction:compose', {value}),
  };
}

/** Tools as a model gets them. */
export function declare(tools: readonly ToolInfo[]): readonly ToolDeclaration[] {
  return tools.map(({name, description, input}) => ({name, description, input}));
}

/** What a request would have besides the history now, by size. */
export async function describeFrame(parts: AgentParts): Promise<RequestFrame> {
  const {route, context} = parts;
  const found = await route.find(route.chosen);
  const tools = found.abilities.calls ? await context.tools.offered() : [];
  const {inputLimit, compressAt} = fitLimits(await prepareSettings(parts), found.abilities);
  return {
    model: nameOf(found),
    inputLimit,
    compressAt,
    instruction: estimateText(await instructionFor(parts, tools)),
    sections: (await sectionsOf(placeFor(parts, tools))).map(({name}) => name),
    tools: declare(tools).map((tool) => ({name: tool.name, tokens: estimateText(JSON.stringify(tool))})),
  };
}
