import type {Environment, ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import {ProcessGroups, runProcess} from '@gemini-kernel/processes';
import type {ConfiguredHook} from '../config/configured-hook.js';
import type {HookRun} from '../contract.js';
import {isEvent} from '../events.js';
import {isTable} from '../is-table.js';
import {toClaudeInput} from './claude-shape.js';
import {confineHook} from './confine-hook.js';
import {judgeOutcome, type HookResult} from './judge-outcome.js';
import {Queue} from './queue.js';
import {readOutcome} from './read-output.js';
import {insertVariables, shellFor} from './shell.js';

export type HookInput = Readonly<Record<string, unknown>>;

const MOST_AT_ONCE = 8;
/** How often the file of a conversation is looked for; it is written with the first prompt. */
const MOST_LOOKS = 5;

type Context = Pick<ServiceContext, 'environment' | 'session' | 'service' | 'names' | 'dispatch'>;

/** Runs hooks as processes, for one session. */
export class Runner {
  readonly #processes: ProcessGroups;
  readonly #queue = new Queue(MOST_AT_ONCE);
  #transcript = '';
  #looks = 0;
  #environment: Promise<Readonly<Record<string, string>>> | undefined;

  constructor(private readonly context: Context) {
    this.#processes = new ProcessGroups(context.environment.platform);
  }

  close(): void {
    this.#processes.close();
  }

  /** Runs hooks on an input: one after the other if one of them asks for that, else side by side. */
  async runAll(
    hooks: readonly ConfiguredHook[],
    input: HookInput,
    signal: AbortSignal,
  ): Promise<readonly HookResult[]> {
    const whole = {...(await this.#common(hooks[0]?.event ?? '')), ...input};
    if (!hooks.some(({sequential}) => sequential))
      return Promise.all(hooks.map((hook) => this.#run(hook, whole, signal)));
    const results: HookResult[] = [];
    let next: HookInput = whole;
    for (const hook of hooks) {
      const result = await this.#run(hook, next, signal);
      results.push(result);
      next = chain(next, result);
    }
    return results;
  }

  async #run(hook: ConfiguredHook, input: HookInput, signal: AbortSignal): Promise<HookResult> {
    const {environment} = this.context;
    const own = await this.#variables();
    const shaped = hook.shape === 'claude' && isEvent(hook.event) ? toClaudeInput(hook.event, input) : input;
    const [file, args] = shellFor(insertVariables(hook.command, own, environment.platform), environment.platform);
    const end = await this.#queue.run(async () =>
      runProcess(
        this.#processes,
        {
          ...(await confineHook(this.context, {
            file,
            args,
            cwd: environment.cwd,
            variables: {...(await this.#passed()), ...hook.variables, ...own},
          })),
          input: JSON.stringify(shaped),
          timeoutMs: hook.timeoutMs,
        },
        signal,
      ),
    );
    const {exitCode, detail, ms} = end;
    const result = judgeOutcome(hook, {
      ...readOutcome(end),
      ms,
      ...(exitCode === undefined ? {} : {exitCode}),
      ...(detail === undefined ? {} : {detail}),
    });
    await this.context.dispatch('hook:end', {
      ...describeRun(result),
      event: hook.event,
      isClosed: result.isClosed,
      input,
    });
    return result;
  }

  /** The variables of this program without secrets. */
  #passed(): Promise<Readonly<Record<string, string>>> {
    this.#environment ??= this.context
      .service('secrets')
      .then((secrets) => secrets.environment())
      .then(({variables}) => variables);
    return this.#environment;
  }

  async #variables(): Promise<Readonly<Record<string, string>>> {
    const {environment, session, names, service} = this.context;
    const folder = names('project').length > 0 ? await (await service('project')).find() : undefined;
    return hookVariables(environment, session.id, folder && `${folder.temporary}/plans`);
  }

  async #common(event: string): Promise<HookInput> {
    const {session, environment} = this.context;
    return {
      session_id: session.id,
      transcript_path: await this.#findTranscript(),
      cwd: environment.cwd,
      hook_event_name: event,
      timestamp: new Date().toISOString(),
    };
  }

  async #findTranscript(): Promise<string> {
    const {names, service, session} = this.context;
    if (this.#transcript !== '' || this.#looks >= MOST_LOOKS || !session.live) return this.#transcript;
    if (names('sessions').length === 0) return '';
    this.#looks += 1;
    const {sessions} = await (await service('sessions')).list();
    this.#transcript = sessions.find(({id}) => id === session.id)?.file ?? '';
    return this.#transcript;
  }
}

/** What others may know of a run. */
export function describeRun({hook, outcome, sentence, exitCode, ms, text, isError}: HookResult): HookRun {
  return {
    hook: hook.name,
    outcome,
    ms: Math.round(ms),
    output: text,
    ...(isError ? {isError} : {}),
    ...(exitCode === undefined ? {} : {exitCode}),
    ...(sentence === undefined ? {} : {sentence}),
  };
}

function hookVariables(
  {cwd}: Pick<Environment, 'cwd'>,
  session: string,
  plans: string | undefined,
): Readonly<Record<string, string>> {
  return {
    GEMINI_PROJECT_DIR: cwd,
    GEMINI_CWD: cwd,
    GEMINI_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: cwd,
    GEMINI_CLI: '1',
    ...(plans === undefined ? {} : {GEMINI_PLANS_DIR: plans}),
  };
}

/** What the next hook of a sequence gets. */
function chain(input: HookInput, {specific, context}: HookResult): HookInput {
  const {prompt, tool_input: given, llm_request: request} = input;
  const merge = (before: unknown, key: string): Record<string, unknown> =>
    isTable(specific[key]) ? {[key]: {...(isTable(before) ? before : {}), ...specific[key]}} : {};
  return {
    ...input,
    ...(typeof prompt === 'string' && context !== undefined && input['hook_event_name'] === 'BeforeAgent'
      ? {prompt: `${prompt}\n\n${context}`}
      : {}),
    ...(given === undefined ? {} : merge(given, 'tool_input')),
    ...(request === undefined ? {} : merge(request, 'llm_request')),
  };
}
