import type {MetricRecord} from './records.js';

type Definition = Omit<MetricRecord, 'name' | 'points'>;

/** Milliseconds, in the steps that collectors expect. */
const MS = [5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000, 30_000, 60_000, 300_000];
/** Seconds and tokens, as the conventions for generative AI advise. */
const SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864];
const TURNS = [1, 2, 5, 10, 20, 50, 100];

const count = (description: string): Definition => ({kind: 'sum', unit: '1', description, bounds: []});
const spread = (description: string, unit: string, bounds: readonly number[]): Definition => ({
  kind: 'histogram',
  ...{unit, description, bounds},
});

/** Every metric, by name. Those of `gemini_cli` are the ones of Gemini CLI. */
export const definitions = {
  'gemini_cli.session.count': count('Sessions that have begun.'),
  'gemini_cli.tool.call.count': count('Calls of tools.'),
  'gemini_cli.tool.call.latency': spread('How long calls of tools took.', 'ms', MS),
  'gemini_cli.api.request.count': count('Requests to models.'),
  'gemini_cli.api.request.latency': spread('How long requests to models took.', 'ms', MS),
  'gemini_cli.token.usage': count('Tokens that models counted.'),
  'gemini_cli.network_retry.count': count('Requests to models that were sent again.'),
  'gemini_cli.file.operation.count': count('Files that tools read, created or changed.'),
  'gemini_cli.lines.changed': count('Lines that edits added and removed.'),
  'gemini_cli.chat_compression': count('Summaries that replaced the older part of a conversation.'),
  'gemini_cli.agent.run.count': count('Runs of agents.'),
  'gemini_cli.agent.duration': spread('How long runs of agents took.', 'ms', MS),
  'gemini_cli.agent.turns': spread('Requests of an agent in one run.', '1', TURNS),
  'gemini_cli.hook_call.count': count('Runs of hooks.'),
  'gemini_cli.hook_call.latency': spread('How long hooks took.', 'ms', MS),
  'gemini_cli.exit.fail.count': count('Prompts that ended with an error.'),
  'gemini_cli.memory.usage': {kind: 'gauge', unit: 'By', description: 'Memory of this process.', bounds: []},
  'gen_ai.client.token.usage': spread('Input and output tokens of a request.', '{token}', TOKENS),
  'gen_ai.client.operation.duration': spread('How long requests to models took.', 's', SECONDS),
} satisfies Record<string, Definition>;

export type MetricName = keyof typeof definitions;
