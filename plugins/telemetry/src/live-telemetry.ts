import type {ServiceContext, SessionInfo} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-env/contract';
import type {} from '@gemini-kernel/plugin-network/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {Happened, Telemetry, TelemetryStatus, WorkMeasure, WorkSpan} from './contract.js';
import {readOptions, type Options} from './options.js';
import type {Running} from './running.js';

type Context = Pick<ServiceContext, 'environment' | 'names' | 'service' | 'tell'>;

/** The telemetry of one place. Nothing that records or sends is imported while it is off. */
export class LiveTelemetry implements Telemetry {
  #options: Promise<Options> | undefined;
  #running: Promise<Running> | undefined;

  constructor(private readonly context: Context) {}

  async tell(session: SessionInfo, happened: Happened): Promise<void> {
    const options = await this.#read();
    if (!options.isOn) return;
    const running = await this.#run(options);
    await running.recorder.take(session, happened);
    if (happened.kind === 'closed' && session.parent === undefined) await running.finish();
  }

  async parentFor(session: string, call?: string): Promise<string | undefined> {
    return (await this.#running)?.recorder.parentFor(session, call);
  }

  async parentOfWork(trace: string, id: string): Promise<string | undefined> {
    const options = await this.#read();
    return options.isOn ? (await this.#run(options)).parentOfWork(trace, id) : undefined;
  }

  async tellWork(spans: readonly WorkSpan[], measures: readonly WorkMeasure[]): Promise<void> {
    const options = await this.#read();
    if (options.isOn) (await this.#run(options)).takeWork(spans, measures);
  }

  async status(): Promise<TelemetryStatus> {
    const options = await this.#read();
    const {isOn, withPrompts, withTraces, faults, file, endpoint, protocol, google} = options;
    const running = await this.#running;
    const to = file ?? endpoint;
    return {
      isOn,
      ...(to === undefined ? {} : {to, protocol: file === undefined ? protocol : 'file'}),
      ...(google && file === undefined ? {project: google.project} : {}),
      withPrompts,
      withTraces: withTraces && withPrompts,
      ...(options.port > 0 ? {prometheus: `http://127.0.0.1:${options.port}/metrics`} : {}),
      ...{sent: 0, waiting: 0, dropped: 0},
      ...running?.counts(),
      faults,
    };
  }

  async check(): Promise<string | undefined> {
    return (await this.#run(await this.#read())).check();
  }

  async close(): Promise<void> {
    await (await this.#running)?.close();
  }

  #read(): Promise<Options> {
    return (this.#options ??= this.#readOptions());
  }

  async #readOptions(): Promise<Options> {
    const {service, environment} = this.context;
    const {cwd, home} = environment;
    return readOptions({settings: await service('settings'), variables: await service('variables'), cwd, home});
  }

  #run(options: Options): Promise<Running> {
    return (this.#running ??= this.#start(options));
  }

  async #start(options: Options): Promise<Running> {
    const {service, names, tell} = this.context;
    for (const sentence of options.faults) tell({code: 'TELEMETRY_FAULT', sentence, once: sentence});
    const {start} = await import('./running.js');
    return start(options, {
      network: names('network').length > 0 ? await service('network') : undefined,
      secrets: names('secrets').length > 0 ? await service('secrets') : undefined,
      tell,
    });
  }
}
