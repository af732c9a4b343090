import {resolve} from 'node:path';
import {KernelError, type Form} from '@gemini-kernel/kernel';
import {makeVisible} from '@gemini-kernel/command/visible';
import type {Session} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/command';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {Flags} from '@oclif/core';
import {chooseInterface} from '../choose-interface.js';
import type {Agent, Prompted} from '../contract.js';
import {readPrompt} from '../headless/read-prompt.js';
import {PlainText} from '../headless/plain-text.js';
import type {Streams} from '../headless/report.js';
import {readSchema} from '../headless/read-schema.js';
import {reports, runHeadless, type Format} from '../headless/run-headless.js';
import {createStop, orStopped} from '../headless/stop-signal.js';
import {isClosed, openLine} from '../prompt-file/is-closed.js';
import {readPromptFile} from '../prompt-file/read-prompt-file.js';
import {askForDirectories, askForTrust} from '../ask-for-trust.js';
import {isConversation} from '../is-conversation.js';
import {FORMATS, readFormat} from '../read-format.js';
import {readWanted} from '../read-wanted.js';
import {readWish, type Wish} from '../read-wish.js';
import {describeTyped} from '../slash/join-commands.js';
import {runSlashLine} from '../slash/run-slash-line.js';

/** A prompt that is ready to be sent. */
interface Ready {
  readonly session: Session;
  readonly prompt: Prompted;
  readonly warnings: readonly string[];
}

export default class Chat extends KernelCommand {
  static override summary = 'Talk with a model that reads, edits and runs things here, or give it one task.';
  static override description =
    'At a terminal, a conversation. With -p, without a terminal, or in CI: one prompt, then the end, and no ' +
    'questions.\nWhat comes on standard input is put before the prompt. A line that names no command is a prompt ' +
    'too, so the word "chat" can be left out.';
  static override examples = [
    {description: 'A conversation here', command: '<%= config.bin %>'},
    {
      description: 'One task, for a script',
      command: '<%= config.bin %> -p "fix the failing test" --approval-mode auto_edit',
    },
    {
      description: 'With what another program printed',
      command: 'git diff | <%= config.bin %> -p "write a commit message for this"',
    },
    {
      description: 'For another program',
      command:
        '<%= config.bin %> -p "which licences do the dependencies have?" -o json --output-schema licences.schema.json',
    },
    {
      description: 'A prompt in a file, with an argument',
      command: '<%= config.bin %> --max-turns 20 -f review.md main',
    },
    {description: 'A local model', command: '<%= config.bin %> -m openai:qwen3-coder'},
  ];
  static override strict = false;
  static override enableJsonFlag = false;
  static override usage = ['[PROMPT] [FLAGS]'];
  static override flags = {
    prompt: Flags.string({
      char: 'p',
      description: 'Deal with this prompt and end; nobody is asked anything.',
      exclusive: ['prompt-interactive', 'prompt-file'],
    }),
    'prompt-interactive': Flags.string({
      char: 'i',
      description: 'Begin the conversation with this prompt.',
      exclusive: ['prompt-file'],
    }),
    'prompt-file': Flags.string({
      char: 'f',
      description: 'Deal with the prompt in this file and end; what follows are its arguments ($1, $@).',
    }),
    'output-format': Flags.string({
      char: 'o',
      description: 'Without a conversation: what is printed.',
      options: [...FORMATS],
    }),
    json: Flags.boolean({description: 'Short for --output-format json.', exclusive: ['output-format']}),
    'output-schema': Flags.string({description: 'A file with a JSON Schema that the answer must match.'}),
    'max-turns': Flags.string({description: 'Ask the model at most so many times; then end with 53.'}),
    'max-cost': Flags.string({description: 'End with 53 once this many US dollars are spent; needs model.prices.'}),
    timeout: Flags.string({description: 'End with 53 after this long: 90s, 10m, 1h.', helpValue: '<time>'}),
    'fail-on-refused': Flags.boolean({description: 'End with 56 when a call was refused.'}),
    'raw-output': Flags.boolean({description: 'Print what the model says as it is, terminal control included.'}),
    'accept-raw-output-risk': Flags.boolean({description: 'Do not warn of --raw-output.'}),
  };

  #format: Format = 'text';
  #opened: Session | undefined;

  async run(): Promise<void> {
    // From here on a signal ends the run in its own words.
    void this.host.signal;
    const line = await this.readLine();
    const interactive = isConversation(line, this.kernel.environment);
    const settings = (): Promise<Settings> => this.service('settings');
    const {'raw-output': isRaw, 'accept-raw-output-risk': isAccepted} = line.flags;
    if (isRaw && !isAccepted && !interactive) {
      this.logToStderr('Warning: with --raw-output a model can make the terminal do things.');
    }
    this.#format = await readFormat(line, settings);
    const wish = await readWish(line, this.#format, settings);
    if (interactive && (Object.keys(wish.limits).length > 0 || wish.failOnRefused))
      this.logToStderr('Warning: limits of a run do not count in a conversation.');
    if (this.argv.length === 0 && (await this.rehearse())) return;
    if (interactive) await this.converse(wish);
    else await this.answer(wish);
  }

  /** The flags, the words beside them, and the prompt file, whose arguments these words are then. */
  private async readLine() {
    const {flags, argv} = await this.parse(Chat);
    const given = argv as string[];
    const path = flags['prompt-file'];
    if (path === undefined) {
      const words = given.join(' ');
      if (flags.prompt !== undefined && words !== '') {
        const message = 'There is a prompt in --prompt and another one beside it.';
        throw new KernelError('PROMPT_TWICE', message, {hint: 'Give one of them.'});
      }
      return {flags, words, file: undefined};
    }
    if (!isClosed(this.argv)) throw openLine(path);
    const file = await readPromptFile(path, given);
    const {model} = file.flags;
    if (model !== undefined && !('model' in flags)) await this.parse(Chat, [`--model=${model}`, ...this.argv]);
    return {flags, words: '', file};
  }

  /** Who has just come, and has no key yet, is shown around. Says whether that was done. */
  private async rehearse(): Promise<boolean> {
    const failure = await (await this.service('agent')).check();
    if (failure?.kind !== 'auth' || !this.host.catalog.commands.has('tour')) return false;
    const {code} = await this.host.run(['tour'], {directory: this.kernel.environment.cwd, show: true});
    this.log(`\n${failure.message} ${failure.hint ?? ''}`.trimEnd());
    this.host.end(code);
    return true;
  }

  /** One prompt, then the end. */
  private async answer(wish: Wish): Promise<void> {
    const {output, signal, catalog} = this.host;
    const stop = createStop({signal, output, timeoutMs: wish.limits.timeoutMs});
    try {
      const {session, ...run} = await orStopped(this.prepare(wish, stop.signal), stop.signal);
      const command = wish.isFile
        ? undefined
        : await orStopped(this.runSlash({session, ...run}, stop.signal), stop.signal);
      if (command === 'done') return;
      const agent = await orStopped(session.service('agent'), stop.signal);
      const notices = await session.service('run-notices');
      const report = reports[wish.format](this.streams(), {raw: wish.raw});
      const {failOnRefused} = wish;
      const directory = this.kernel.environment.cwd;
      const about = {sessionId: session.info.id, directory, signal: stop.signal, failOnRefused};
      const exitCodeOf = (code: string): number => catalog.exitCodeOf(code);
      const exit = await runHeadless({...run, ...command, ...about, agent, report, notices, exitCodeOf});
      this.host.end(stop.isUnread ? 0 : exit);
    } finally {
      stop.forget();
    }
  }

  private async prepare(wish: Wish, signal: AbortSignal): Promise<Ready> {
    const session = (this.#opened = this.kernel.open({live: true, interactive: false}));
    const {text, warning} = await readPrompt({input: this.host.input, given: wish.prompt, signal});
    if (warning) this.logToStderr(`Warning: ${warning}`);
    const {schema} = wish;
    const answer = schema === undefined ? undefined : await readSchema(resolve(this.kernel.environment.cwd, schema));
    await session.announce();
    return {
      session,
      warnings: warning ? [warning] : [],
      prompt: {text, limits: wish.limits, ...(answer ? {answer} : {})},
    };
  }

  private streams(): Streams {
    const plain = new PlainText();
    return {
      out: (text) => void this.host.output.write(this.host.terminal ? makeVisible(text) : text),
      err: (line) => this.logToStderr(plain.push(line) + plain.end()),
    };
  }

  /** Programs find every failure on standard output, in the format that they asked for. */
  protected override async catch(error: Error): Promise<unknown> {
    const described = this.host.describe(error);
    if (this.#format === 'text' || !described) return super.catch(error);
    const {exit, ...failure} = described;
    const sessionId = this.#opened?.info.id ?? '';
    reports[this.#format](this.streams(), {raw: false}).fail({sessionId, error: failure, exit});
    return this.host.end(exit);
  }

  private runSlash({session, prompt}: Pick<Ready, 'session' | 'prompt'>, signal: AbortSignal) {
    const end = this.#format === 'text' ? [] : ['--json'];
    return runSlashLine(session, prompt, signal, (words) =>
      this.host.slash([...words, ...end], {kernel: this.kernel, session}),
    );
  }

  /** Who will answer, what may run unasked, and where. */
  private async greet({info}: Session, agent: Agent): Promise<void> {
    if ((await (await this.service('settings')).get('ui.hideBanner')) === true) return;
    const {model} = await agent.model();
    const {cwd} = this.kernel.environment;
    this.log(this.style('dim', `gemini ${this.config.version} · ${model} · mode ${info.mode} · ${cwd}`));
  }

  /** A conversation with the person at the terminal. */
  private async converse({prompt}: Wish): Promise<void> {
    const {signal, catalog, input, output, colour} = this.host;
    const name = chooseInterface(catalog, await (await this.service('settings')).get('ui.interface'));
    const asking = {ask: (form: Form) => this.ask(form), say: (line: string) => this.log(line)};
    await askForTrust({
      ...asking,
      trust: await this.service('trust'),
      wants: await readWanted(this.kernel.environment, await this.service('config-files')),
    });
    const conversations = await this.service('conversations');
    const {id} = await conversations.open({interactive: true});
    try {
      const session = await conversations.session(id);
      await askForDirectories(await session.service('workspace'), asking);
      const agent: Agent = await session.service('agent');
      await this.greet(session, agent);
      const failure = await agent.check();
      if (failure) this.log(`${this.style('warn', failure.message)} ${failure.hint ?? ''}`.trimEnd());
      const ui = await this.service(name);
      const owner = catalog.services.get(name)?.plugin;
      await ui.converse({
        ...{conversation: id, conversations, signal, colour, commands: catalog.typed.map(describeTyped)},
        service: async (service) => (await conversations.session(id)).service(service, owner),
        // At a terminal both are what the contract says.
        input: input as NodeJS.ReadStream,
        output: output as NodeJS.WriteStream,
        slash: async (words) => this.host.slash(words, {kernel: this.kernel, session: await conversations.session(id)}),
        ...(prompt === undefined ? {} : {prompt}),
      });
    } finally {
      await conversations.close(id);
    }
  }
}
