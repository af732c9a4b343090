import type {JSONSchema} from '@gemini-kernel/kernel';
import type {ToolDeclaration} from '@gemini-kernel/plugin-agent/contract';

/** What is described otherwise: a tool, or the parameter at a path. */
export interface Described {
  readonly tool: string;
  readonly parameter?: readonly string[];
}

/**
 * The declarations with another description. Names, types and what is required stay, so a call means what it meant.
 * Undefined when there is no such tool or parameter.
 */
export function varyTools(
  tools: readonly ToolDeclaration[],
  {tool: name, parameter}: Described,
  description: string,
): readonly ToolDeclaration[] | undefined {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  const varied = parameter === undefined ? {...tool, description} : varyParameter(tool, parameter, description);
  return varied && tools.map((one) => (one === tool ? varied : one));
}

function varyParameter(
  tool: ToolDeclaration,
  path: readonly string[],
  description: string,
): ToolDeclaration | undefined {
  const input = describeIn(tool.input, path, description);
  return input && {...tool, input};
}

/** The schema in which what is at a path has another description; an array leads to its items. */
function describeIn(schema: JSONSchema, path: readonly string[], description: string): JSONSchema | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return {...schema, description};
  const {properties, items} = schema;
  if (isSchema(properties) && Object.hasOwn(properties, name)) {
    const inner = properties[name];
    const varied = isSchema(inner) ? describeIn(inner, rest, description) : undefined;
    return varied && {...schema, properties: {...properties, [name]: varied}};
  }
  const varied = isSchema(items) ? describeIn(items, path, description) : undefined;
  return varied && {...schema, items: varied};
}

/** The description at a path; undefined when there is nothing. */
export function descriptionAt(tool: ToolDeclaration, path: readonly string[] = []): string | undefined {
  if (path.length === 0) return tool.description;
  let schema: JSONSchema = tool.input;
  for (const name of path) {
    const inner = childOf(schema, name);
    if (inner === undefined) return undefined;
    schema = inner;
  }
  return typeof schema['description'] === 'string' ? schema['description'] : '';
}

/** The names of the parameters of a tool. */
export function parametersOf({input}: ToolDeclaration): readonly string[] {
  return isSchema(input['properties']) ? Object.keys(input['properties']) : [];
}

function childOf({properties, items}: JSONSchema, name: string): JSONSchema | undefined {
  if (isSchema(properties) && Object.hasOwn(properties, name)) {
    const inner = properties[name];
    return isSchema(inner) ? inner : undefined;
  }
  return isSchema(items) ? childOf(items, name) : undefined;
}

function isSchema(value: unknown): value is JSONSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
