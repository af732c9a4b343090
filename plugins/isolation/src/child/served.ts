import {exit} from 'node:process';
import {pathToFileURL} from 'node:url';
import {brandOf} from '@gemini-kernel/kernel';
import type {Hello} from '../wire/hello.js';
import type {Watched} from '../wire/watched.js';
import {contextOf, oneWay, serviceContextOf, type SentContext} from './contexts.js';
import {greet} from './greet.js';
import type {Noted} from './watch/noted.js';

type Acts = Readonly<Record<string, (...all: readonly unknown[]) => unknown>>;
type Contribution = Readonly<Record<string, unknown>> & Acts;

/** The contributions of the plugin, and the services that live here. */
export class Served {
  readonly #loaded = new Map<string, Promise<Contribution>>();
  readonly #services = new Map<string, {readonly spec: Contribution; readonly instance: object}>();

  #noted: Noted | undefined;

  constructor(private readonly send: (watched: readonly Watched[]) => void) {}

  /** Answers a request of the host, after it has reported what the plugin used for it. */
  async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const act = this.#acts[method];
    if (!act) throw new Error(`There is no request ${method}.`);
    try {
      return await act(...params);
    } finally {
      this.#noted?.flush();
    }
  }

  readonly #acts: Acts = {
    hello: async (given) => {
      const hello = given as Hello;
      const greeting = greet(hello);
      if (hello.watching) this.#noted = (await import('./watch/watch.js')).watchUses(hello.watching, this.send);
      return greeting;
    },
    ping: () => true,
    load: async (file, kind) => {
      const one = await this.#load(String(file), String(kind));
      return Object.keys(one).filter((name) => typeof one[name] === 'function');
    },
    tool: async (file, method, all, sent) => {
      const tool = await this.#load(String(file), 'tool');
      const context = contextOf(sent as SentContext);
      if ('progress' in context) context['progress'] = oneWay(context['progress']);
      return tool[String(method)]?.(...(all as unknown[]), context);
    },
    revise: async (file, input, edited) => (await this.#load(String(file), 'tool'))['revise']?.(input, edited),
    listener: async (file, payload, sent) =>
      (await this.#load(String(file), 'listener'))['run']?.(payload, contextOf(sent as SentContext)),
    command: async (file, sent) => (await import('./command.js')).runCommand(String(file), sent as never),
    leave: () => void setImmediate(() => exit(0)),
    'create.keep': async (key, file, sent) => {
      const spec = await this.#load(String(file), 'service');
      const instance = (await spec['create']?.(serviceContextOf(sent as SentContext))) as object;
      this.#services.set(String(key), {spec, instance});
    },
    method: (key, method, all) => {
      const instance = this.#services.get(String(key))?.instance as Acts | undefined;
      const own = instance?.[String(method)];
      if (!own) throw new TypeError(`The service has no method ${String(method)}.`);
      return own.apply(instance, all as unknown[]);
    },
    describe: (key) => {
      const {spec, instance} = this.#services.get(String(key)) ?? {};
      return spec?.['describe']?.(instance);
    },
    dispose: async (key) => {
      const {spec, instance} = this.#services.get(String(key)) ?? {};
      this.#services.delete(String(key));
      await spec?.['dispose']?.(instance);
    },
  };

  #load(file: string, kind: string): Promise<Contribution> {
    const known = this.#loaded.get(file) ?? this.#import(file, kind);
    this.#loaded.set(file, known);
    return known;
  }

  async #import(file: string, kind: string): Promise<Contribution> {
    const module = (await import(pathToFileURL(file).href)) as {readonly default?: unknown};
    if (brandOf(module.default) !== kind) throw new Error(`Its default export is not a ${kind}.`);
    return module.default as Contribution;
  }
}
