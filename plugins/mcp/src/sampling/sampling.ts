import type {Form, Notice} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import {isTable} from '../config/is-table.js';
import type {ServerConfig} from '../config/server-config.js';
import type {SamplingAnswer, SamplingRequest} from '../connection/answer-server.js';
import type {Guests} from '../guests.js';
import {toSamplingAnswer, toSideRequest} from './convert-sampling.js';
import type {SamplingLimits} from './sampling-limits.js';

/** What a server has used so far, and the sessions whose person lets it ask without a question. */
interface Account {
  requests: number;
  tokens: number;
  readonly allowed: Set<string>;
}

/** A request that is refused; the sentence goes to the server. */
export class SamplingRefused extends Error {}

const MOST_SHOWN = 1000;
/** What counts where a provider does not say how many tokens a request took. */
const CHARACTERS_PER_TOKEN = 4;

/** Servers that ask the model: off unless the settings allow it, up to a budget, and a person is asked first. */
export class Sampling {
  readonly #accounts = new Map<string, Account>();

  constructor(
    private readonly guests: Guests,
    private readonly tell: (notice: Omit<Notice, 'once'>) => void,
  ) {}

  /** Throws SamplingRefused. */
  async answer(config: ServerConfig, request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    const {name, sampling} = config;
    if (!sampling) throw new SamplingRefused('Sampling is not allowed for this server.');
    const account = this.#accountOf(name);
    this.#checkBudget(name, sampling, account);
    // Counted before it is sent: requests side by side share the budget.
    account.requests += 1;
    await this.#approve(config, {request, account, sampling}, signal);
    const most = sampling.tokens - account.tokens;
    const asked = await this.guests.sample(name, toSideRequest(request, most), signal);
    if (asked.status === 'failed') throw new SamplingRefused(asked.failure.message);
    account.tokens += asked.usage?.total ?? estimate(request, asked);
    return toSamplingAnswer(asked);
  }

  #accountOf(name: string): Account {
    const known = this.#accounts.get(name) ?? {requests: 0, tokens: 0, allowed: new Set()};
    this.#accounts.set(name, known);
    return known;
  }

  #checkBudget(name: string, {requests, tokens}: SamplingLimits, account: Account): void {
    if (account.requests < requests && account.tokens < tokens) return;
    const used = `${account.requests} of ${requests} requests, ${account.tokens} of ${tokens} tokens`;
    const sentence = `The MCP server "${name}" has used up its budget for asking the model: ${used}.`;
    this.tell({code: 'MCP_SAMPLING_LIMIT', sentence});
    throw new SamplingRefused(sentence);
  }

  /** Where no person can be asked, what the settings say counts. */
  async #approve(config: ServerConfig, asking: Asking, signal: AbortSignal): Promise<void> {
    const {name} = config;
    const session = this.guests.sessionOf(name);
    const {allowed} = asking.account;
    if (session !== undefined && allowed.has(session)) return;
    const answer = await this.guests.ask(name, formFor(name, asking), signal);
    if (answer.outcome === 'nobody') return;
    const choice = answer.outcome === 'answered' ? answer.values['answer'] : 'no';
    if (choice === 'session' && session !== undefined) allowed.add(session);
    else if (choice !== 'once') throw new SamplingRefused('The user rejected the sampling request.');
  }
}

interface Asking {
  readonly request: SamplingRequest;
  readonly account: Account;
  readonly sampling: SamplingLimits;
}

function formFor(server: string, {request, account, sampling}: Asking): Form {
  const budget =
    `Request ${account.requests} of ${sampling.requests}; ` +
    `${account.tokens} of ${sampling.tokens} tokens used, at most ${request.maxTokens} more for this answer.`;
  return {
    title: `The MCP server "${server}" wants to ask your model.`,
    text: `${budget}\n${show(request)}`,
    about: {kind: 'mcp-sampling', server},
    fields: [
      {
        name: 'answer',
        label: 'Allow it?',
        kind: 'choice',
        default: 'no',
        options: [
          {value: 'once', label: 'yes, this time', key: 'y'},
          {value: 'session', label: 'yes, in this session, up to its budget', key: 'a'},
          {value: 'no', label: 'no', key: 'n'},
        ],
      },
    ],
  };
}

/** What goes to the model, cut in the middle: the end often has the question. */
function show({systemPrompt, messages}: SamplingRequest): string {
  const texts = messages.flatMap(({role, content}) =>
    [content]
      .flat()
      .filter(isTable)
      .map((block) => `${role}: ${showBlock(block)}`),
  );
  const all = [...(systemPrompt === undefined ? [] : [`system: ${systemPrompt}`]), ...texts].join('\n');
  if (all.length <= MOST_SHOWN) return all;
  return `${all.slice(0, MOST_SHOWN / 2)}\n[${all.length - MOST_SHOWN} characters]\n${all.slice(-MOST_SHOWN / 2)}`;
}

function showBlock({type, text}: Readonly<Record<string, unknown>>): string {
  return type === 'text' ? String(text) : `[${String(type)}]`;
}

function estimate(request: SamplingRequest, answer: unknown): number {
  return Math.ceil((JSON.stringify(request.messages).length + JSON.stringify(answer).length) / CHARACTERS_PER_TOKEN);
}
