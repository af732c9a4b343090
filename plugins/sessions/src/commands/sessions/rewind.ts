import {Args, Flags} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {askGuarded} from '../../ask-guarded.js';
import {choosePrompt, type Chosen} from '../../choose-prompt.js';
import type {Prompt, Restored, Rewound} from '../../contract.js';
import {describeRestored, isPartial} from '../../rewind-session.js';
import {shorten} from '../../session-texts.js';

const NOTHING: Restored = {restored: [], removed: [], changed: [], guarded: [], lost: []};

/** Goes back to before a prompt. */
export default class SessionsRewind extends KernelCommand {
  static override summary = 'Go back to before a prompt: the conversation, the files, or both.';
  static override description =
    'Without a prompt, lists the prompts; in a conversation, you choose one. Restores files to their state before ' +
    'that prompt, including those that a shell command changed, as far as they were saved. ' +
    ('A file that someone else has changed since is named and not changed; --force overwrites it. A file ' +
      'that the agent created is removed only if it is unchanged.');
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 2 --what files',
    '<%= config.bin %> <%= command.id %> last --session 3',
  ];
  static override args = {prompt: Args.string({description: 'Number or id of a prompt, or last.', ignoreStdin: true})};
  static override flags = {
    session: Flags.string({description: 'Number, id or latest. Default in a conversation: the current one.'}),
    what: Flags.string({
      description: 'What to go back with. Default: both.',
      options: ['both', 'conversation', 'files'],
    }),
    force: Flags.boolean({description: 'Also overwrite files that someone else has changed since.', default: false}),
  };
  static override aliases = ['/rewind'];
  static override slash = true;

  async run(): Promise<{readonly prompts: readonly Prompt[]} | Rewound> {
    const {args, flags} = await this.parse(SessionsRewind);
    const name = flags.session ?? (this.session.live ? 'current' : 'latest');
    const chosen =
      args.prompt === undefined ? await this.#choose(name, flags.what) : {prompt: args.prompt, what: flags.what};
    if ('prompts' in chosen) return chosen;
    return this.#rewind({name, prompt: chosen.prompt, force: flags.force}, chosen.what);
  }

  async #rewind(goal: Goal, what: Chosen['what'] = 'both'): Promise<Rewound> {
    const restored = what === 'conversation' ? undefined : await this.#rewindFiles(goal);
    const rewound = what === 'files' && restored ? restored.rewound : await this.#rewindConversation(goal);
    const files = restored?.files;
    if (what !== 'files') this.log(`The conversation is back at the point before: ${shorten(rewound.text)}`);
    if (!files) return rewound;
    for (const line of describeRestored(files)) this.log(line);
    if (isPartial(files)) this.host.end(1);
    return {...rewound, files};
  }

  async #choose(name: string, what: string | undefined): Promise<Chosen | {readonly prompts: readonly Prompt[]}> {
    const prompts = await (await this.service('sessions')).prompts(name);
    const chosen = this.session.live ? await choosePrompt(prompts, {what, ask: (form) => this.ask(form)}) : 'nobody';
    if (chosen === 'nobody') this.#list(prompts);
    return typeof chosen === 'string' ? {prompts} : chosen;
  }

  #list(prompts: readonly Prompt[]): readonly Prompt[] {
    for (const {number, text, files} of prompts)
      this.log(`  ${number}. ${shorten(text)}${files > 0 ? this.style('dim', ` (files: ${files})`) : ''}`);
    if (prompts.length === 0) this.log('This session has no prompts yet.');
    return prompts;
  }

  async #rewindConversation({name, prompt, force}: Goal): Promise<Rewound> {
    return (await this.service('sessions')).rewind(name, prompt, {what: 'conversation', force});
  }

  /** Restores files; guarded ones only after the person agreed. */
  async #rewindFiles({name, prompt, force}: Goal): Promise<{readonly rewound: Rewound; readonly files?: Restored}> {
    const sessions = await this.service('sessions');
    const rewind = async (approved: readonly string[]): Promise<Rewound> =>
      sessions.rewind(name, prompt, {what: 'files', force, approved});
    const rewound = await rewind([]);
    if (!rewound.files) return {rewound};
    const again = async (approved: readonly string[]): Promise<Restored> => (await rewind(approved)).files ?? NOTHING;
    const files = await askGuarded(rewound.files, {ask: (form) => this.ask(form), again});
    return {rewound, files};
  }
}

interface Goal {
  readonly name: string;
  readonly prompt: string;
  readonly force: boolean;
}
