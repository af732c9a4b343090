import type {Form, FormOption, ServiceContext} from '@gemini-kernel/kernel';
import type {AskedHost, ExitWatch, Grant} from '@gemini-kernel/plugin-sandbox/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';

/** The hosts that one command asked for, and what became of it. */
export interface HostWatch extends ExitWatch {
  /** What nothing granted, as a grant would name it. */
  readonly refused: readonly string[];
  /** The command has ended, or could not start. */
  end(): void;
}

/** A command that tries host after host must not hold the person up. */
const MOST_QUESTIONS = 5;
const MOST_HOSTS = 50;
const LONGEST_COMMAND = 400;
const SETTING = 'tools.sandboxAllowedHosts';

/** Asks the person of a session about hosts that the sandbox keeps from a command, while the connection waits. */
export class HostQuestions {
  readonly #granted = new Set<string>();

  constructor(private readonly context: Pick<ServiceContext, 'ask' | 'service' | 'session' | 'tell'>) {}

  /** What answers grant to every command of the session. */
  grants(): readonly Grant[] {
    const network = [...this.#granted];
    return network.length > 0 ? [{from: 'your answer, for this session', network}] : [];
  }

  /** Follows one command. Each host is asked about once, and is refused where no one can answer. */
  watch(command: string): HostWatch {
    const ending = new AbortController();
    const answers = new Map<string, Promise<boolean>>();
    const refused: string[] = [];
    let questions = 0;
    const judge = async (asked: AskedHost): Promise<boolean> => {
      const isLet =
        this.#granted.has(asked.grant) ||
        (questions++ < MOST_QUESTIONS && (await this.#ask(asked, command, ending.signal)));
      if (!isLet) refused.push(asked.grant);
      return isLet;
    };
    return {
      refused,
      signal: ending.signal,
      end: () => ending.abort(),
      decide(asked) {
        const known = answers.get(asked.grant);
        if (known || answers.size >= MOST_HOSTS) return known ?? false;
        const answer = judge(asked);
        answers.set(asked.grant, answer);
        return answer;
      },
    };
  }

  async #ask(asked: AskedHost, command: string, signal: AbortSignal): Promise<boolean> {
    if (!this.context.session.interactive) return false;
    const answer = await this.context.ask(formOf(asked, command, await this.#keeping()), signal);
    const value = answer.outcome === 'answered' ? answer.values['answer'] : 'no';
    if (value === 'session' || value === 'always') this.#granted.add(asked.grant);
    if (value === 'always') await this.#keep(asked.grant);
    return value === 'once' || value === 'session' || value === 'always';
  }

  /** What the settings let an answer keep. */
  async #keeping(): Promise<readonly FormOption[]> {
    const settings = await this.context.service('settings');
    const is = async (key: string, value: boolean): Promise<boolean> =>
      (await Promise.all([settings.get(key), settings.getApart(key)])).includes(value);
    if (await is('security.disableAlwaysAllow', true)) return [];
    return (await is('security.enablePermanentToolApproval', false)) ? [SESSION] : [SESSION, ALWAYS];
  }

  /** The answer counts for the session also where it cannot be written. */
  async #keep(grant: string): Promise<void> {
    const settings = await this.context.service('settings');
    const {layers} = await settings.explain(SETTING);
    const known = layers.find(({layer}) => layer === 'user')?.value;
    if (Array.isArray(known) && known.includes(grant)) return;
    await settings.append(SETTING, [grant], {scope: 'user'}).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.context.tell({
        code: 'SANDBOX_GRANT_UNKEPT',
        sentence: `${grant} is granted for this session only: ${SETTING} cannot be written. ${reason}`,
      });
    });
  }
}

const SESSION: FormOption = {value: 'session', label: 'yes, for every command of this session', key: 's'};
const ALWAYS: FormOption = {
  value: 'always',
  label: 'yes, for every command from now on',
  key: 'a',
  description: `Adds it to ${SETTING} of your settings.`,
};

function formOf({host, port, grant}: AskedHost, command: string, keeping: readonly FormOption[]): Form {
  const shown = command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND)}…` : command;
  const isOwn = /(?:^|\.)localhost$/.test(host.toLowerCase());
  return {
    title: `A command wants to connect to ${grant}.`,
    text: [
      shown,
      ...(isOwn ? ['That is a program on this machine, outside of the sandbox.'] : []),
      'The sandbox holds the connection until you answer. It can send what it reads there.',
    ].join('\n'),
    about: {kind: 'sandbox-host', host, port, command},
    fields: [
      {
        kind: 'choice',
        name: 'answer',
        label: 'Let it connect?',
        options: [
          {value: 'once', label: 'yes, for this command', key: 'y'},
          ...keeping,
          {value: 'no', label: 'no', key: 'n'},
        ],
      },
    ],
  };
}
