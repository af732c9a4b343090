import {provide, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import {readPrices} from '../agent-settings.js';
import type {Agent, View, ViewDescription, ViewItem, ViewOutcome, ViewText} from '../contract.js';
import {priceOf, type Price} from '../statistics.js';

/** The models of all providers: to choose one, for this conversation or for later ones too. */
export default provide('view:model', {
  version: '1.0.0',
  scope: 'session',
  methods: ['describe', 'list', 'preview', 'act'],
  create: (context) => new ModelView(context),
});

const DESCRIPTION: ViewDescription = {
  title: 'Models',
  empty: 'No provider lists a model. /model and a name chooses one.',
  search: 'labels',
  sorts: [],
  inLines: 'command',
  actions: [
    {name: 'use', key: 'u', label: 'use in this conversation'},
    {name: 'keep', key: 'p', label: 'use in later ones too'},
  ],
};

/** What stands for a provider that could not be asked. */
const FAILED = 'failed:';

class ModelView implements View {
  constructor(private readonly context: ServiceContext) {}

  async describe(): Promise<ViewDescription> {
    const {model} = await (await this.#agent()).model();
    return {...DESCRIPTION, title: `Models; this conversation uses ${model}`};
  }

  async list(_: unknown, signal: AbortSignal): Promise<readonly ViewItem[]> {
    const agent = await this.#agent();
    const [{chosen, model}, providers, prices] = await Promise.all([
      agent.model(),
      agent.models(signal),
      this.context.service('settings').then(readPrices),
    ]);
    return providers.flatMap(({provider, models, failure}) => [
      ...models.map((name): ViewItem => {
        const id = `${provider}:${name}`;
        const isCurrent = [chosen, model].some((one) => one === id || id.endsWith(`:${one}`));
        const price = priceOf(id, prices);
        return {
          id,
          label: id,
          details: [isCurrent ? 'in use' : '', price ? priceText(price) : ''].filter(Boolean).join(', '),
        };
      }),
      ...(failure ? [{id: `${FAILED}${provider}`, label: provider, details: 'cannot be asked'}] : []),
    ]);
  }

  async preview(id: string, signal: AbortSignal): Promise<readonly ViewText[]> {
    const agent = await this.#agent();
    const [{model, inputLimit, tokens}, providers, prices, stats] = await Promise.all([
      agent.model(),
      agent.models(signal),
      this.context.service('settings').then(readPrices),
      agent.stats(),
    ]);
    const failure = providers.find(({provider}) => `${FAILED}${provider}` === id)?.failure;
    if (failure)
      return [{kind: 'text', title: id.slice(FAILED.length), text: `${failure.message}\n${failure.hint ?? ''}`}];
    const price = priceOf(id, prices);
    const used = stats.models.find((one) => one.model === id);
    const isCurrent = id === model || id.endsWith(`:${model}`);
    const facts = [
      price ? `Price: ${priceText(price)} per million tokens in and out` : 'Price: not set (model.prices)',
      ...(isCurrent && inputLimit > 0
        ? [`Context: ${count(tokens)} of ${count(inputLimit)} tokens are used`]
        : isCurrent
          ? [`Context: about ${count(tokens)} tokens are used`]
          : []),
      ...(used
        ? [`So far: ${used.requests} requests, ${count(used.usage.input)} tokens in, ${count(used.usage.output)} out`]
        : []),
    ];
    return [{kind: 'text', title: id, text: facts.join('\n')}];
  }

  async act(action: string, id: string): Promise<ViewOutcome> {
    if (id.startsWith(FAILED)) return {kind: 'read'};
    return {kind: 'command', words: ['model', id, ...(action === 'keep' ? ['--persist'] : [])]};
  }

  #agent(): Promise<Agent> {
    return this.context.service('agent');
  }
}

function priceText({input, output}: Price): string {
  return `$${input} / $${output}`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}
