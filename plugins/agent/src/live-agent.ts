import {setMaxListeners} from 'node:events';
import {isContext, type AgentParts} from './agent-parts.js';
import {readPrices, readSettings} from './agent-settings.js';
import {askPartsOf} from './ask-parts.js';
import {compressNow} from './compress-now.js';
import type {Agent, AgentWatch, Entry, Model, ModelFailure, Prompted, SideAnswer, SideRequest} from './contract.js';
import type {AgentsEvent, ModelStats, PieceSizes, RequestFrame, Role, RunLimits, TurnEnd} from './contract.js';
import {callsOf, toMessages} from './entry-text.js';
import {estimateMessages} from './estimate-tokens.js';
import {askForForm, findFaults, stripFence, type Schema} from './fitting-answer.js';
import {describeFrame} from './request-frame.js';
import {repairHistory} from './repair-history.js';
import {AUTO} from './current-model.js';
import {levelFor, nameOf} from './model-route.js';
import {runPrompt} from './prompt-run.js';
import {askBeside} from './side-request.js';

interface Providers {
  readonly names: readonly string[];
  open(provider: string): Promise<Model>;
}

interface Fitting {
  readonly schema: Schema;
  readonly limits: RunLimits;
}

/** One conversation, as other plugins see it. */
export class LiveAgent implements Agent {
  #last: Promise<unknown> = Promise.resolve();
  #loading: Promise<string | undefined> | undefined;
  #watch: AgentWatch | undefined;

  constructor(
    private readonly parts: AgentParts,
    private readonly providers: Providers,
  ) {}

  async assume(role: Role): Promise<void> {
    if (role.model !== undefined) await this.parts.route.choose(role.model);
    this.parts.state.role = role;
  }

  async send(prompt: Prompted, watch: AgentWatch): Promise<TurnEnd> {
    // Many calls at once listen to it; Node reports more than ten listeners as a leak.
    setMaxListeners(0, watch.signal);
    return this.#inTurn(async () => {
      this.#watch = watch;
      const notice = await this.#load();
      if (notice) watch.onEvent({kind: 'note', severity: 'warning', text: notice});
      const {text, parts, attached, answer: schema, limits = {}} = prompt;
      const added = attached ? {attached} : {};
      if (!schema) return runPrompt(this.parts, {text, limits, ...(parts ? {parts} : {}), ...added}, watch);
      const form = askForForm(schema);
      const asking = parts ? {text, parts: [...parts, {text: form}]} : {text: `${text}\n\n${form}`};
      const first = await runPrompt(this.parts, {...asking, ...added, limits}, watch);
      return first.status === 'done' ? this.#fit(first, {schema, limits}, watch) : first;
    });
  }

  /** An answer that matches the schema, with one retry. */
  async #fit(first: TurnEnd, {schema, limits}: Fitting, watch: AgentWatch): Promise<TurnEnd> {
    const faults = await findFaults(first.text, schema);
    if (faults.length === 0) return withValue(first);
    watch.onEvent({
      kind: 'note',
      severity: 'warning',
      text: `The answer does not match the schema; the model was asked again. ${faults[0] ?? ''}`,
    });
    const text = `That does not match the schema. ${faults.slice(0, 5).join(' ')}\n${askForForm(schema)}`;
    const second = await runPrompt(this.parts, {text, form: schema, limits}, watch);
    const joined = {
      ...second,
      warnings: [...first.warnings, ...second.warnings],
      refused: [...first.refused, ...second.refused],
      changed: [...new Set([...first.changed, ...second.changed])],
    };
    if (second.status !== 'done') return joined;
    const left = await findFaults(second.text, schema);
    if (left.length === 0) return withValue(joined);
    const message = `The answer does not match --output-schema: ${left.slice(0, 3).join(' ')}`;
    const hint = 'Simplify the schema, or explain in the prompt what goes where.';
    return {...joined, status: 'failed', error: {code: 'ANSWER_MISFIT', message, hint}};
  }

  async ask(request: SideRequest, signal: AbortSignal): Promise<SideAnswer> {
    return askBeside(this.parts, request, signal);
  }

  async compress(watch: AgentWatch): ReturnType<Agent['compress']> {
    return this.#inTurn(async () => {
      await this.#load();
      return compressNow(
        this.parts,
        {
          askParts: askPartsOf(this.parts, {limits: (await readSettings(this.parts.settings)).ask, isBeside: true}),
          isAsked: true,
        },
        watch,
      );
    });
  }

  async check(): Promise<ModelFailure | undefined> {
    const {route} = this.parts;
    return (await route.find(route.chosen)).model.check();
  }

  async history(): Promise<readonly Entry[]> {
    await this.#load();
    return this.parts.history.entries;
  }

  async rewind(id: string): Promise<{readonly text: string}> {
    return this.#inTurn(async () => {
      await this.#load();
      const text = await this.parts.history.rewind(id);
      this.parts.state.counted = undefined;
      return {text};
    });
  }

  async clear(): Promise<void> {
    const {history, state} = this.parts;
    await history.replace(history.entries.filter(isContext), 'compressed');
    state.counted = undefined;
  }

  async tell({id, text, shown}: Parameters<Agent['tell']>[0]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#load();
      const {history} = this.parts;
      await history.put(history.make({kind: 'user', origin: 'person', id, shown, pieces: [{kind: 'text', text}]}));
      await history.settle();
    });
  }

  async model(): ReturnType<Agent['model']> {
    const {route, state, history} = this.parts;
    const found = await route.find(route.chosen);
    const tokens = state.counted?.tokens ?? estimateMessages(toMessages(history.entries));
    const {inputLimit, thoughtLevels = []} = found.abilities;
    const thoughtLevel = levelFor(found.abilities, route.thoughtLevel) ?? AUTO;
    return {chosen: route.chosen, model: nameOf(found), inputLimit, tokens, thoughtLevels, thoughtLevel};
  }

  setModel(name: string): Promise<void> {
    return this.parts.route.choose(name);
  }

  setThoughtLevel(level: string): Promise<void> {
    return this.parts.route.think(level);
  }

  async models(signal?: AbortSignal): ReturnType<Agent['models']> {
    return Promise.all(
      this.providers.names.map(async (provider) => {
        const {models, failure} = await (await this.providers.open(provider)).list(signal);
        return {provider, models: models.map(({name}) => name), ...(failure ? {failure} : {})};
      }),
    );
  }

  async charge(models: readonly ModelStats[], agent?: string): Promise<void> {
    if (agent === undefined) this.parts.statistics.addModels(models);
    else this.parts.statistics.addAgent(agent, models);
  }

  async relay(event: AgentsEvent): Promise<void> {
    this.#watch?.onEvent(event);
  }

  async measure(entries: readonly Entry[]): Promise<PieceSizes> {
    return this.parts.fitting.measure(entries);
  }

  async frame(): Promise<RequestFrame> {
    return describeFrame(this.parts);
  }

  async stats(): ReturnType<Agent['stats']> {
    return this.parts.statistics.read(await readPrices(this.parts.settings));
  }

  /** One end after the other: a conversation ends once. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Loads the history of a continued conversation, once. Gives what the person should know, the first time. */
  async #load(): Promise<string | undefined> {
    if (this.#loading) return void (await this.#loading);
    this.#loading = this.parts.context.dispatch('history:load', {}).then((answer) => {
      const {entries, notice} = answer ?? {entries: []};
      this.parts.history.load(repairHistory(entries));
      for (const entry of entries)
        for (const {id, name} of callsOf(entry.message)) this.parts.seenCalls.add(`${name}__${id}`);
      return notice;
    });
    return this.#loading;
  }
}

/** An answer that matches the schema, as text and as a value. */
function withValue(end: TurnEnd): TurnEnd {
  const text = stripFence(end.text);
  return {...end, text, structured: JSON.parse(text) as unknown};
}
