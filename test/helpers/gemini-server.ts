import type {ScriptedAnswer, ScriptedPiece, ScriptedRefusal} from '@gemini-kernel/plugin-agent/testing';
import type {SeenRequest, TestedMessage, TestedPiece, TestedTool} from '@gemini-kernel/plugin-agent/testing';
import {findGeminiFault, type GeminiBody, type GeminiPart} from './gemini-request.js';
import {
  startScriptedServer,
  type Dialect,
  type RawRequest,
  type ReadRequest,
  type ScriptedServer,
  type ScriptedServerOptions,
} from './scripted-server.js';

/** Starts a scripted Gemini API (also under the paths of Vertex) on loopback. */
export function startGeminiServer(options?: ScriptedServerOptions): Promise<ScriptedServer> {
  return startScriptedServer(gemini, options);
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

const FINISH: Readonly<Record<string, string>> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  malformed: 'MALFORMED_FUNCTION_CALL',
  blocked: 'SAFETY',
  other: 'OTHER',
};

const TYPE = 'type.googleapis.com/google.rpc';

const gemini: Dialect = {
  read: readGemini,
  frames: (answer, asked) => framesOf(answer, asked).map((frame) => `data: ${frame}\r\n\r\n`),
  whole: (answer, asked) => wholeOf(answer, asked),
  refuse: ({status, message = `The script answers ${status}.`, delayMs, quota, headers = {}}: ScriptedRefusal) => ({
    status,
    headers,
    body: JSON.stringify({
      error: {code: status, message, status: STATUS[status] ?? 'UNKNOWN', details: detailsOf(quota, delayMs)},
    }),
  }),
};

function detailsOf(quota: ScriptedRefusal['quota'], delayMs: number | undefined): readonly object[] {
  const period = quota === 'day' ? 'PerDay' : 'PerMinute';
  return [
    ...(quota
      ? [
          {
            '@type': `${TYPE}.QuotaFailure`,
            violations: [{quotaMetric: 'requests', quotaId: `GenerateRequests${period}PerProjectPerModel-FreeTier`}],
          },
        ]
      : []),
    ...(delayMs === undefined ? [] : [{'@type': `${TYPE}.RetryInfo`, retryDelay: `${delayMs / 1000}s`}]),
  ];
}

function readGemini(raw: RawRequest, models: readonly string[]): ReadRequest {
  const {method, url, body} = raw;
  if (method === 'GET' && /\/models$/.test(url.pathname)) return {kind: 'beside', body: listOf(url.pathname, models)};
  const [, model = '', act = ''] = /\/models\/([^/:]+):(\w+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  if (method !== 'POST') return undefined;
  if (act === 'countTokens')
    return {kind: 'beside', body: {totalTokens: Math.ceil(JSON.stringify(body ?? '').length / 4)}};
  if (act !== 'generateContent' && act !== 'streamGenerateContent') return undefined;
  const isStream = act === 'streamGenerateContent';
  const fault =
    isStream && url.searchParams.get('alt') !== 'sse'
      ? 'A stream is asked for with alt=sse here.'
      : findGeminiFault(body);
  return {kind: 'ask', isStream, asked: understand(model, fault === undefined ? (body as GeminiBody) : {}), fault};
}

function listOf(path: string, models: readonly string[]): object {
  if (path.includes('/publishers/'))
    return {publisherModels: models.map((name) => ({name: `publishers/google/models/${name}`}))};
  return {
    models: models.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      description: `The model ${name}.`,
      inputTokenLimit: 1000,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    })),
  };
}

function understand(
  model: string,
  {contents = [], systemInstruction, tools = [], generationConfig = {}}: GeminiBody,
): Pick<SeenRequest, 'model' | 'system' | 'messages' | 'tools' | 'config'> {
  const {temperature, topP, maxOutputTokens, thinkingConfig, responseJsonSchema} = generationConfig;
  const config = {
    temperature,
    topP,
    maxOutputTokens,
    thinkingBudget: thinkingConfig?.thinkingBudget,
    answer: responseJsonSchema,
  };
  return {
    model,
    system: (systemInstruction?.parts ?? []).map(({text = ''}) => text).join(''),
    messages: contents.map(({role, parts}): TestedMessage => ({role, pieces: parts.map(pieceOf)})),
    tools: tools
      .flatMap(({functionDeclarations = []}) => functionDeclarations)
      .map(({name, description = '', parametersJsonSchema = {}}): TestedTool => ({
        name,
        description,
        input: parametersJsonSchema,
      })),
    config: Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)),
  };
}

function pieceOf({
  text,
  thought,
  thoughtSignature,
  inlineData,
  functionCall,
  functionResponse,
}: GeminiPart): TestedPiece {
  const mark = thoughtSignature === undefined ? {} : {signature: thoughtSignature};
  if (inlineData) return {kind: 'data', ...inlineData};
  if (functionCall)
    return {kind: 'call', id: functionCall.id ?? '', name: functionCall.name, input: functionCall.args ?? {}, ...mark};
  if (functionResponse) {
    const {id = '', name, response, parts = []} = functionResponse;
    const said = response['output'] ?? response['error'];
    const output = [
      ...(said === undefined || said === '' ? [] : [{text: String(said)}]),
      ...parts.flatMap((part) => (part.inlineData ? [{inlineData: part.inlineData}] : [])),
    ];
    return {kind: 'result', id, name, output, failed: 'error' in response};
  }
  return {kind: thought ? 'thought' : 'text', text: text ?? '', ...mark};
}

function partOf(piece: Exclude<ScriptedPiece, {kind: 'garbage'}>): object {
  const mark = piece.signature === undefined ? {} : {thoughtSignature: piece.signature};
  if (piece.kind === 'call')
    return {
      functionCall: {...(piece.id === undefined ? {} : {id: piece.id}), name: piece.name, args: piece.input ?? {}},
      ...mark,
    };
  return {text: piece.text, ...(piece.kind === 'thought' ? {thought: true} : {}), ...mark};
}

function framesOf(
  {pieces = [], usage, end = 'stop', model}: ScriptedAnswer,
  asked: {readonly model: string},
): readonly string[] {
  const known = {modelVersion: model ?? asked.model, responseId: 'scripted'};
  const said = pieces.map((piece) =>
    piece.kind === 'garbage'
      ? piece.text
      : JSON.stringify({candidates: [{content: {parts: [partOf(piece)], role: 'model'}, index: 0}], ...known}),
  );
  const counts = usage ? {usageMetadata: countsOf(usage)} : {};
  if (end === 'prompt-blocked')
    return [...said, JSON.stringify({promptFeedback: {blockReason: 'PROHIBITED_CONTENT'}, ...counts, ...known})];
  if (end === 'none') return usage ? [...said, JSON.stringify({...counts, ...known})] : said;
  return [
    ...said,
    JSON.stringify({
      candidates: [{content: {parts: [{text: ''}], role: 'model'}, finishReason: FINISH[end], index: 0}],
      ...counts,
      ...known,
    }),
  ];
}

/** The pieces in one message, as an answer without streaming has them. */
function wholeOf({pieces = [], usage, end = 'stop', model}: ScriptedAnswer, asked: {readonly model: string}): string {
  const parts = pieces.flatMap((piece) => (piece.kind === 'garbage' ? [] : [partOf(piece)]));
  return JSON.stringify({
    candidates: [{content: {parts, role: 'model'}, finishReason: FINISH[end] ?? 'STOP', index: 0}],
    ...(usage ? {usageMetadata: countsOf(usage)} : {}),
    modelVersion: model ?? asked.model,
  });
}

function countsOf({
  input = 0,
  output = 0,
  cached = 0,
  thoughts = 0,
  tool = 0,
  total,
}: NonNullable<ScriptedAnswer['usage']>): object {
  const optional = Object.entries({
    cachedContentTokenCount: cached,
    thoughtsTokenCount: thoughts,
    toolUsePromptTokenCount: tool,
  }).filter(([, count]) => count > 0);
  return {
    promptTokenCount: input,
    candidatesTokenCount: output,
    totalTokenCount: total ?? input + output + thoughts + tool,
    ...Object.fromEntries(optional),
  };
}
