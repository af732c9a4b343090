import {basename} from 'node:path';
import {pathToFileURL} from 'node:url';
import type {Form, FormAnswer} from '@gemini-kernel/kernel';
import type {SideAnswer, SideRequest} from '@gemini-kernel/plugin-agent/contract';
import type {ElicitAnswer, ElicitRequest} from './connection/answer-server.js';
import type {ServerGuest} from './contract.js';
import {toElicitAnswer, toForm} from './elicitation.js';

interface Call {
  readonly server: string;
  readonly session: string;
}

/** The sessions that share the servers of a place: what servers learn from them and ask them. */
export class Guests {
  readonly #guests = new Map<string, ServerGuest>();
  readonly #followers = new Set<() => void>();
  /** Calls under way, the newest last. */
  readonly #calls: Call[] = [];

  constructor(private readonly cwd: string) {}

  attach(guest: ServerGuest): () => void {
    this.#guests.set(guest.session, guest);
    return () => void this.#guests.delete(guest.session);
  }

  /** Runs a call of a session, so that what its server asks meanwhile reaches that session. */
  async during<T>(call: Call, act: () => Promise<T>): Promise<T> {
    this.#calls.push(call);
    try {
      return await act();
    } finally {
      this.#calls.splice(this.#calls.indexOf(call), 1);
    }
  }

  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => void this.#followers.delete(changed);
  }

  changed(): void {
    for (const guest of this.#guests.values()) guest.changed();
    this.tellFollowers();
  }

  /** For changes that leave tools as they are. */
  tellFollowers(): void {
    for (const follower of this.#followers) follower();
  }

  /** The directories of all sessions. */
  async roots(): Promise<readonly {readonly uri: string; readonly name: string}[]> {
    const guests = [...this.#guests.values()];
    const paths = guests.length === 0 ? [this.cwd] : (await Promise.all(guests.map((one) => one.roots()))).flat();
    return [...new Set(paths)].map((path) => ({uri: pathToFileURL(path).href, name: basename(path) || path}));
  }

  /** Asks the person of the session whose call is under way, else of the session that came last. */
  async elicit(server: string, request: ElicitRequest, signal: AbortSignal): Promise<ElicitAnswer> {
    return toElicitAnswer(request, await this.ask(server, toForm(server, request), signal));
  }

  /** The answer of the person of that session. */
  async ask(server: string, form: Form, signal: AbortSignal): Promise<FormAnswer> {
    return this.#guestFor(server)?.ask(form, signal) ?? {outcome: 'nobody'};
  }

  /** The answer of the model of that session. */
  async sample(server: string, request: SideRequest, signal: AbortSignal): Promise<SideAnswer> {
    const failure = {kind: 'invalid', message: 'There is no session to ask the model in.'} as const;
    return this.#guestFor(server)?.sample(request, signal) ?? {status: 'failed', failure};
  }

  /** The session that a server asks something in. */
  sessionOf(server: string): string | undefined {
    return this.#guestFor(server)?.session;
  }

  #guestFor(server: string): ServerGuest | undefined {
    const session = this.#calls.findLast((call) => call.server === server)?.session;
    return (session === undefined ? undefined : this.#guests.get(session)) ?? [...this.#guests.values()].at(-1);
  }
}
