import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {KernelError, type ServiceContext} from '@gemini-kernel/kernel';
import type {Agent} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-sessions/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Learned, Learning, LearningPreview, LearningStatus} from '../contract.js';
import type {InboxPlaces} from '../inbox/read-inbox.js';
import autoMemory from '../settings/auto-memory.js';
import learning from '../settings/learning.js';
import type {ExtractionParts} from './run-extraction.js';

/** A run of one prompt has ended by then, and a person reads the answer. */
const LATER_MS = 3000;
/** As in Gemini CLI. */
const PAUSE_MS = 30 * 60_000;

/** The extraction of one session's project. What it needs is loaded with the first run. */
export class LiveLearning implements Learning {
  #hasBegun = false;
  /** Asked at the end for what was done, where a hint is wanted. */
  #agent: Agent | undefined;

  constructor(private readonly context: ServiceContext) {}

  async follow(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const settings = await this.context.service('settings');
    if (await settings.value(learning.hint, {apart: true})) this.#agent = await this.context.service('agent');
    // What is sent, and what it costs, is the person's matter and not that of a project.
    if (await settings.value(autoMemory, {apart: true})) void this.#later();
  }

  /** The end of the session. What cannot be said any more is not. */
  async close(): Promise<void> {
    const entries = await this.#agent?.history();
    if (!entries) return;
    const {describeTrouble} = await import('../reflect/describe-trouble.js');
    const sentence = describeTrouble(entries);
    if (sentence !== undefined) this.context.tell({code: 'SESSION_WENT_BADLY', level: 'info', sentence});
  }

  async now(): Promise<Learned> {
    const places = await this.#places();
    if (!places) return {status: 'skipped', reason: 'This project has no sessions yet.'};
    const [{withLock}, {runExtraction}, parts] = await Promise.all([
      import('./extraction-lock.js'),
      import('./run-extraction.js'),
      this.#parts(places),
    ]);
    const learned = await withLock(places.memory, () => runExtraction(parts));
    return learned ?? {status: 'skipped', reason: 'Another process does so now.'};
  }

  async preview(): Promise<LearningPreview> {
    const places = await this.#places();
    if (!places) return {sessions: [], low: [], text: ''};
    const [{prepare}, {ExtractionState}, parts] = await Promise.all([
      import('./run-extraction.js'),
      import('./extraction-state.js'),
      this.#parts(places),
    ]);
    const {candidates, low, text} = await prepare(parts, await ExtractionState.read(places.memory));
    return {sessions: candidates.map(({id}) => id), low: low.map(({id}) => id), text};
  }

  async status(): Promise<LearningStatus> {
    const [settings, places, {ExtractionState}, {findExtractor}] = await Promise.all([
      this.context.service('settings'),
      this.#places(),
      import('./extraction-state.js'),
      import('./extraction-lock.js'),
    ]);
    const isOn = await settings.value(autoMemory, {apart: true});
    const tokensPerDay = await settings.value(learning.tokensPerDay, {apart: true});
    if (!places) return {isOn, tokensPerDay, tokens: 0, waiting: 0};
    const state = await ExtractionState.read(places.memory);
    const inbox = await (await this.context.service('inbox')).list();
    const pid = await findExtractor(places.memory);
    const {runAt, candidateSessions, skillsCreated, memoryCandidatesCreated, terminateReason} = state.last ?? {};
    return {
      ...{isOn, tokensPerDay, tokens: state.tokensOfDay(Date.now()), waiting: inbox.length},
      ...(pid === undefined ? {} : {running: pid}),
      ...(runAt === undefined
        ? {}
        : {
            last: {
              at: runAt,
              sessions: candidateSessions?.length ?? 0,
              proposals: (skillsCreated?.length ?? 0) + (memoryCandidatesCreated?.length ?? 0),
              ...(terminateReason === undefined ? {} : {end: terminateReason}),
            },
          }),
    };
  }

  /** Never rejects: the conversation does not depend on it. */
  async #later(): Promise<void> {
    const {signal, tell} = this.context;
    try {
      await pause(LATER_MS, undefined, {signal, ref: false});
      if (!(await this.#isDue())) return;
      const learned = await this.now();
      if (learned.status === 'failed')
        return tell({
          code: 'SESSIONS_NOT_LEARNED',
          sentence: `Nothing was learned from old sessions: ${learned.reason}`,
        });
      if (learned.status !== 'done' || learned.proposals.length + learned.refused === 0) return;
      const count = learned.proposals.length + learned.refused;
      tell({
        code: 'PROPOSALS_WAIT',
        level: 'info',
        sentence: `${count === 1 ? 'One proposal' : `${count} proposals`} from old sessions: /memory inbox.`,
      });
    } catch (error) {
      if (signal.aborted) return;
      tell({code: 'SESSIONS_NOT_LEARNED', sentence: `Nothing was learned from old sessions: ${String(error)}`});
    }
  }

  async #isDue(): Promise<boolean> {
    const places = await this.#places();
    if (!places) return false;
    const {ExtractionState} = await import('./extraction-state.js');
    const {last} = await ExtractionState.read(places.memory);
    return !last || Date.now() - Date.parse(last.runAt) >= PAUSE_MS;
  }

  async #places(): Promise<InboxPlaces | undefined> {
    const {service, environment} = this.context;
    const project = await (await service('project')).find();
    return project && {memory: join(project.temporary, 'memory'), home: environment.home, cwd: project.root};
  }

  async #parts(places: InboxPlaces): Promise<ExtractionParts> {
    const {service, names, signal} = this.context;
    if (names('secrets').length === 0)
      throw new KernelError('LEARNING_UNSAFE', 'Nothing can take secrets out of sessions, so none is sent.', {
        hint: 'Install the plugin secrets.',
      });
    const [sessions, secrets, settings, agent] = await Promise.all([
      service('sessions'),
      service('secrets'),
      service('settings'),
      service('agent'),
    ]);
    const model = await settings.value(learning.model, {apart: true});
    return {
      ...{places, sessions, signal},
      budget: await settings.value(learning.tokensPerDay, {apart: true}),
      scrub: async (text) => (await secrets.scrub(text)).text,
      isSecret: (text) => secrets.suspects(text),
      ask: (request) => agent.ask(model === '' ? request : {...request, model}, signal),
    };
  }
}
