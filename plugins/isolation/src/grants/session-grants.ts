import {messageOf, type CapabilityWish, type Form, type FormOption, type ServiceContext} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {PluginGrants} from '../contract.js';
import {KEPT} from '../settings/isolation.js';
import {keptAs} from './given-grants.js';

const LONGEST = 200;

type Context = Pick<ServiceContext, 'ask' | 'service' | 'session' | 'tell'>;

/** Asks the person of a session whether a plugin gets what it declares as optional. */
export class SessionGrants implements PluginGrants {
  /** Questions that are open, and those that were answered with no: a plugin does not ask again in this session. */
  readonly #asked = new Map<string, Promise<string>>();

  constructor(private readonly context: Context) {}

  async decide(wish: CapabilityWish): Promise<boolean> {
    const {plugin, capability, call} = wish;
    const isolation = await this.context.service('isolation');
    if (await isolation.isGranted(plugin, capability, call)) return true;
    if (!this.context.session.interactive) return false;
    const key = keptAs(plugin, capability);
    const known = this.#asked.get(key);
    const asking = known ?? this.#ask(wish);
    this.#asked.set(key, asking);
    const answer = await asking;
    if (answer !== 'no') this.#asked.delete(key);
    // Who waited for the question of another call got no answer for this one.
    if (known && answer === 'once') return this.decide(wish);
    if (answer === 'no') return false;
    isolation.grant(plugin, capability, answer === 'once' ? call : undefined);
    if (answer === 'always' && !known) await this.#keep(key);
    return true;
  }

  async #ask(wish: CapabilityWish): Promise<string> {
    const answer = await this.context.ask(formOf(wish, await this.#keeping()));
    return answer.outcome === 'answered' ? String(answer.values['answer']) : 'no';
  }

  /** What the settings let an answer keep. */
  async #keeping(): Promise<readonly FormOption[]> {
    const settings = await this.context.service('settings');
    const key = 'security.disableAlwaysAllow';
    const isOff = (await Promise.all([settings.get(key), settings.getApart(key)])).includes(true);
    return isOff ? [] : [WHILE_RUNNING, ALWAYS];
  }

  /** The answer counts until gemini ends also where it cannot be written. */
  async #keep(grant: string): Promise<void> {
    const settings = await this.context.service('settings');
    await settings.append(KEPT, [grant], {scope: 'user'}).catch((error: unknown) =>
      this.context.tell({
        code: 'PLUGIN_GRANT_UNKEPT',
        sentence: `${grant} is granted until gemini ends only: ${KEPT} cannot be written: ${messageOf(error)}`,
      }),
    );
  }
}

const WHILE_RUNNING: FormOption = {value: 'session', label: 'yes, until gemini ends', key: 's'};
const ALWAYS: FormOption = {
  value: 'always',
  label: 'yes, from now on',
  key: 'a',
  description: `Adds it to ${KEPT} of your settings.`,
};

function formOf({plugin, capability, tool, touch}: CapabilityWish, keeping: readonly FormOption[]): Form {
  const value = touch.value.length > LONGEST ? `${touch.value.slice(0, LONGEST)}…` : touch.value;
  return {
    title: `The plugin ${plugin} asks for ${sayCapability(capability)}.`,
    text: `Its tool ${tool} needs it now, to ${touch.access} ${value}.\nIt has not had it so far.`,
    about: {kind: 'capability', plugin, capability, tool},
    fields: [
      {
        kind: 'choice',
        name: 'answer',
        label: 'Grant it?',
        options: [
          {value: 'once', label: 'yes, for this call', key: 'y'},
          ...keeping,
          {value: 'no', label: 'no', key: 'n'},
        ],
      },
    ],
  };
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^fs:read$/, 'reading the workspace'],
  [/^fs:write$/, 'writing the workspace'],
  [/^fs:read:/, 'reading '],
  [/^fs:write:/, 'reading and writing '],
  [/^net:\*$/, 'connections to any host'],
  [/^net:/, 'connections to '],
  [/^process$/, 'running any program'],
  [/^run:/, 'running the program '],
  [/^env:/, 'the value of the variable '],
  [/^model$/, 'asking the model'],
];

/** What is asked for, after "asks for". */
function sayCapability(capability: string): string {
  const [form, words] = WORDS.find(([one]) => one.test(capability)) ?? [];
  return form && words ? `${words}${capability.replace(form, '')}` : capability;
}
