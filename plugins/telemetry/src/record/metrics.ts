import type {MetricRecord} from './records.js';

export type Definition = Pick<MetricRecord, 'kind' | 'description'> & Partial<Pick<MetricRecord, 'unit' | 'bounds'>>;

/** Milliseconds, in the steps that collectors expect. */
const MS = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000, 30_000, 60_000, 300_000];
/** Seconds and tokens, as the conventions for generative AI advise. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const TURNS = [1, 2, 5, 10, 20, 50, 100];

/** How long something waited, in seconds: up to a day. */
const WAITS = [0.1, 1, 10, 60, 300, 900, 3600, 14_400, 43_200, 86_400];

/** Every metric, by name. Those of `gemini_cli` are the ones of Gemini CLI. */
export const definitions = {
  'gemini_cli.session.count': {kind: 'sum', description: 'Sessions that have begun.'},
  'gemini_cli.tool.call.count': {kind: 'sum', description: 'Calls of tools.'},
  'gemini_cli.tool.call.latency': {kind: 'histogram', unit: 'ms', description: 'Duration of calls.', bounds: MS},
  'gemini_cli.api.request.count': {kind: 'sum', description: 'Requests to models.'},
  'gemini_cli.api.request.latency': {kind: 'histogram', unit: 'ms', description: 'Duration of requests.', bounds: MS},
  'gemini_cli.token.usage': {kind: 'sum', description: 'Tokens that models counted.'},
  'gemini_cli.network_retry.count': {kind: 'sum', description: 'Requests to models that were sent again.'},
  'gemini_cli.file.operation.count': {kind: 'sum', description: 'Files that tools read, created or changed.'},
  'gemini_cli.lines.changed': {kind: 'sum', description: 'Lines that edits added and removed.'},
  'gemini_cli.chat_compression': {kind: 'sum', description: 'Summaries that replaced older parts of conversations.'},
  'gemini_cli.agent.run.count': {kind: 'sum', description: 'Runs of agents.'},
  'gemini_cli.agent.duration': {kind: 'histogram', unit: 'ms', description: 'Duration of agents.', bounds: MS},
  'gemini_cli.agent.turns': {kind: 'histogram', description: 'Requests of an agent in one run.', bounds: TURNS},
  'gemini_cli.hook_call.count': {kind: 'sum', description: 'Runs of hooks.'},
  'gemini_cli.hook_call.latency': {kind: 'histogram', unit: 'ms', description: 'Duration of hooks.', bounds: MS},
  'gemini_cli.exit.fail.count': {kind: 'sum', description: 'Prompts that ended with an error.'},
  'gemini_cli.memory.usage': {kind: 'gauge', unit: 'By', description: 'Memory of this process.'},
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    description: 'Tokens of a request.',
    bounds: TOKENS,
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Duration of requests.',
    bounds: SECONDS,
  },
  'gemini.fleet.tasks': {kind: 'gauge', description: 'Tasks of a fleet in each state.'},
  'gemini.fleet.attempt.count': {kind: 'sum', description: 'Attempts of tasks, by how they ended.'},
  'gemini.fleet.token.usage': {kind: 'sum', unit: '{token}', description: 'Tokens that attempts used.'},
  'gemini.fleet.cost': {kind: 'sum', unit: '{USD}', description: 'US dollars that attempts cost.'},
  'gemini.fleet.queue.age': {
    kind: 'histogram',
    unit: 's',
    description: 'How long a task waited for this worker.',
    bounds: WAITS,
  },
  'gemini.fleet.lease.lost': {kind: 'sum', description: 'Attempts that counted no longer when they ended.'},
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof definitions;
