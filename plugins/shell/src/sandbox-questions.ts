import type {FormOption, ServiceContext} from '@gemini-kernel/kernel';
import type {AskedPath, ExitWatch, Grant} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {RefusedPath} from './contract.js';
import {always, SESSION, SETTINGS, wishForHost, wishForPath, type Wish} from './sandbox-forms.js';

/** What one command asked for beyond its sandbox, and what became of it. */
export interface SandboxWatch extends ExitWatch {
  /** Hosts that nothing granted, as a grant would name them. */
  readonly refusedHosts: readonly string[];
  /** Paths that it could not write. */
  readonly refusedPaths: readonly RefusedPath[];
  /** The command has ended, or could not start. */
  end(): void;
}

/** A command that tries one after the other must not hold the person up. */
const MOST_QUESTIONS = 5;
const MOST_WISHES = 50;
const LATE = 'it is granted now; run the command again';
const FROM = 'your answer, for this session';

/** Asks the person of a session about what the sandbox keeps from a command, while the command waits. */
export class SandboxQuestions {
  readonly #granted = {host: new Set<string>(), path: new Set<string>()};
  /** Paths that were let once, by the command that can write them when it runs again. */
  readonly #late = new Map<string, readonly string[]>();

  constructor(private readonly context: Pick<ServiceContext, 'ask' | 'service' | 'session' | 'tell'>) {}

  /** What answers grant to a command: to each of the session, or to this one, which an answer came too late for. */
  grants(command: string): readonly Grant[] {
    const late = this.#late.get(command) ?? [];
    this.#late.delete(command);
    const [network, write] = [[...this.#granted.host], [...this.#granted.path, ...late]];
    return [
      ...(network.length > 0 ? [{from: FROM, network}] : []),
      ...(write.length > 0 ? [{from: FROM, write, isExact: true}] : []),
    ];
  }

  /** Follows one command. Each wish is asked about once, and is refused where no one can answer. */
  watch(command: string): SandboxWatch {
    const ending = new AbortController();
    const answers = new Map<string, Promise<boolean>>();
    const refusedHosts: string[] = [];
    const refusedPaths: RefusedPath[] = [];
    let questions = 0;
    const decide = (wish: Wish, refuse: () => unknown): boolean | Promise<boolean> => {
      const key = `${wish.kind} ${wish.grant}`;
      const known = answers.get(key);
      if (known || answers.size >= MOST_WISHES) return known ?? false;
      const answer = this.#judge(wish, command, () => questions++ < MOST_QUESTIONS, ending.signal).then((isLet) => {
        if (!isLet) refuse();
        return isLet;
      });
      answers.set(key, answer);
      return answer;
    };
    const refusePath = ({path, fault}: AskedPath): void => {
      if (refusedPaths.length >= MOST_WISHES || refusedPaths.some((one) => one.path === path)) return;
      refusedPaths.push({path, access: 'write', ...(fault === undefined ? {} : {fault})});
    };
    return {
      refusedHosts,
      refusedPaths,
      signal: ending.signal,
      end: () => ending.abort(),
      decide: (asked) => decide(wishForHost(asked), () => refusedHosts.push(asked.grant)),
      decidePath(asked) {
        if (asked.fault === undefined) return decide(wishForPath(asked), () => refusePath(asked));
        refusePath(asked);
        return false;
      },
      late: (asked) => {
        if (!this.#granted.path.has(asked.path))
          this.#late.set(command, [...(this.#late.get(command) ?? []), asked.path]);
        refusePath({...asked, fault: LATE});
      },
    };
  }

  async #judge(wish: Wish, command: string, count: () => boolean, signal: AbortSignal): Promise<boolean> {
    const granted = this.#granted[wish.kind];
    if (granted.has(wish.grant)) return true;
    if (!this.context.session.interactive || !count()) return false;
    const answer = await this.context.ask(wish.form(command, await this.#keeping(wish)), signal);
    const value = answer.outcome === 'answered' ? answer.values['answer'] : 'no';
    if (value === 'session' || value === 'always') granted.add(wish.grant);
    if (value === 'always') await this.#keep(wish);
    return value === 'once' || value === 'session' || value === 'always';
  }

  /** What the settings let an answer keep. */
  async #keeping({kind}: Wish): Promise<readonly FormOption[]> {
    const settings = await this.context.service('settings');
    const is = async (key: string, value: boolean): Promise<boolean> =>
      (await Promise.all([settings.get(key), settings.getApart(key)])).includes(value);
    if (await is('security.disableAlwaysAllow', true)) return [];
    return (await is('security.enablePermanentToolApproval', false)) ? [SESSION] : [SESSION, always(kind)];
  }

  /** The answer counts for the session also where it cannot be written. */
  async #keep({kind, grant}: Wish): Promise<void> {
    const settings = await this.context.service('settings');
    const key = SETTINGS[kind];
    const {layers} = await settings.explain(key);
    const known = layers.find(({layer}) => layer === 'user')?.value;
    if (Array.isArray(known) && known.includes(grant)) return;
    await settings.append(key, [grant], {scope: 'user'}).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.context.tell({
        code: 'SANDBOX_GRANT_UNKEPT',
        sentence: `${grant} is granted for this session only: ${key} cannot be written. ${reason}`,
      });
    });
  }
}
