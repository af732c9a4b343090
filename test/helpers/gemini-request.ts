import {findSchemaFault} from './schema-fault.js';

/** A part of a message in the Gemini API, as far as it is looked at. */
export interface GeminiPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly inlineData?: {readonly mimeType: string; readonly data: string};
  readonly functionCall?: {
    readonly id?: string;
    readonly name: string;
    readonly args?: Readonly<Record<string, unknown>>;
  };
  readonly functionResponse?: {
    readonly id?: string;
    readonly name: string;
    readonly response: Readonly<Record<string, unknown>>;
    readonly parts?: readonly GeminiPart[];
  };
}

interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly GeminiPart[];
}

interface Declaration {
  readonly name: string;
  readonly description?: string;
  readonly parametersJsonSchema?: Readonly<Record<string, unknown>>;
}

/** The body of a request for content. */
export interface GeminiBody {
  readonly contents?: readonly Content[];
  readonly systemInstruction?: {readonly parts: readonly GeminiPart[]};
  readonly tools?: readonly {readonly functionDeclarations?: readonly Declaration[]}[];
  readonly generationConfig?: {
    readonly temperature?: number;
    readonly topP?: number;
    readonly maxOutputTokens?: number;
    readonly thinkingConfig?: {readonly thinkingBudget?: number; readonly includeThoughts?: boolean};
    readonly responseMimeType?: string;
    readonly responseJsonSchema?: Readonly<Record<string, unknown>>;
  };
}

const KNOWN = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'serviceTier',
  'model',
];
const KINDS = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse'] as const;

/**
 * The first thing in the body of a request that the API would not accept, or that no correct client sends, as a
 * sentence.
 */
export function findGeminiFault(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'The body is not a JSON object.';
  const unknown = Object.keys(body).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) return `The request has an unknown key ${unknown}.`;
  const {contents = [], systemInstruction, tools = [], generationConfig} = body as GeminiBody;
  return (
    findContentsFault(contents) ??
    findSystemFault(systemInstruction) ??
    findToolsFault(tools) ??
    findConfigFault(generationConfig)
  );
}

function findContentsFault(contents: readonly Content[]): string | undefined {
  if (contents.length === 0) return 'There are no contents.';
  let open: readonly GeminiPart[] = [];
  for (const [index, {role, parts}] of contents.entries()) {
    const place = `contents[${index}]`;
    const wanted = index % 2 === 0 ? 'user' : 'model';
    if (role !== wanted) return `${place} is of ${String(role)}, but it is the turn of ${wanted}.`;
    if (!Array.isArray(parts) || parts.length === 0) return `${place} has no parts.`;
    const fault =
      parts.map((part, at) => findPartFault(part, `${place}.parts[${at}]`, role)).find((one) => one !== undefined) ??
      findAnswerFault(open, parts, place);
    if (fault !== undefined) return fault;
    open = parts.filter(({functionCall}) => functionCall);
    const ids = open.flatMap(({functionCall}) => functionCall?.id ?? []);
    if (new Set(ids).size !== ids.length) return `${place} has two calls with the same id.`;
  }
  return contents.at(-1)?.role === 'user' ? undefined : 'The last content is not of user.';
}

function findPartFault(part: GeminiPart, place: string, role: Content['role']): string | undefined {
  const kinds = KINDS.filter((kind) => kind in part);
  if (kinds.length !== 1) return `${place} is ${kinds.length === 0 ? 'nothing' : kinds.join(' and ')}.`;
  if (part.text === '' && part.thoughtSignature === undefined) return `${place} is empty.`;
  if (part.functionCall && role !== 'model') return `${place} is a call, but not of the model.`;
  if (part.functionResponse && role !== 'user') return `${place} is the result of a call, but not of the user.`;
  if (part.functionCall && !part.functionCall.name) return `${place} is a call without a name.`;
  const response = part.functionResponse?.response;
  if (part.functionResponse && (typeof response !== 'object' || response === null || Array.isArray(response)))
    return `${place} is a result whose response is not an object.`;
  if (part.inlineData && !(part.inlineData.mimeType && /^[A-Za-z0-9+/]+={0,2}$/.test(part.inlineData.data)))
    return `${place} is data without a type, or not base64.`;
  return undefined;
}

/** Every call of the message before is answered once, under its id and name. */
function findAnswerFault(
  calls: readonly GeminiPart[],
  parts: readonly GeminiPart[],
  place: string,
): string | undefined {
  const results = parts.flatMap(({functionResponse}) => functionResponse ?? []);
  const left = calls.flatMap(({functionCall}) => functionCall ?? []);
  if (results.length !== left.length) return `${place} has ${results.length} results for ${left.length} calls.`;
  for (const {id, name} of results) {
    const index = left.findIndex((call) => call.id === id && call.name === name);
    if (index < 0)
      return `${place} has a result ${name} (${id ?? 'no id'}) that answers no call of the message before.`;
    left.splice(index, 1);
  }
  return undefined;
}

function findSystemFault(instruction: GeminiBody['systemInstruction']): string | undefined {
  if (instruction === undefined) return undefined;
  return instruction.parts?.length > 0 && instruction.parts.every(({text}) => typeof text === 'string' && text !== '')
    ? undefined
    : 'The system instruction is empty.';
}

function findToolsFault(tools: NonNullable<GeminiBody['tools']>): string | undefined {
  const declarations = tools.flatMap(({functionDeclarations = []}) => functionDeclarations);
  const names = declarations.map(({name}) => name);
  if (tools.some(({functionDeclarations}) => functionDeclarations?.length === 0))
    return 'There are tools without declarations.';
  if (new Set(names).size !== names.length) return `A tool is declared twice: ${names.join(', ')}.`;
  const misnamed = names.find((name) => !/^[A-Za-z_][\w.:-]{0,127}$/.test(name));
  if (misnamed !== undefined) return `A tool may not be named ${JSON.stringify(misnamed)}.`;
  for (const {name, description, parametersJsonSchema} of declarations) {
    if (!description) return `The tool ${name} has no description.`;
    const fault = parametersJsonSchema && findSchemaFault(parametersJsonSchema);
    if (fault) return `The schema of the tool ${name} is invalid: ${fault}`;
  }
  return undefined;
}

function findConfigFault(config: GeminiBody['generationConfig'] = {}): string | undefined {
  const {responseJsonSchema, responseMimeType} = config;
  if (!responseJsonSchema) return undefined;
  return responseMimeType === 'application/json'
    ? findSchemaFault(responseJsonSchema)
    : 'A schema of the answer needs the type application/json.';
}
