import {resolve} from 'node:path';
import {KernelError, type Form, type SentNotice} from '@gemini-kernel/kernel';
import type {Session} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/command';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import {Flags} from '@oclif/core';
import {chooseInterface} from '../choose-interface.js';
import type {Prompted, Terminal} from '../contract.js';
import {readPrompt} from '../headless/read-prompt.js';
import {openStreams} from '../headless/open-streams.js';
import type {Streams} from '../headless/report.js';
import {readSchema} from '../headless/read-schema.js';
import {reports, runHeadless, type Format} from '../headless/run-headless.js';
import {createStop, orStopped} from '../headless/stop-signal.js';
import {isClosed, openLine} from '../prompt-file/is-closed.js';
import {readPromptFile} from '../prompt-file/read-prompt-file.js';
import {askForDirectories, askForTrust} from '../ask-for-trust.js';
import {enterEnclosure} from '../enter-enclosure.js';
import {greet} from '../greet.js';
import {isConversation} from '../is-conversation.js';
import {lookForUpdate} from '../look-for-update.js';
import {FORMATS, readFormat} from '../read-format.js';
import {readWanted} from '../read-wanted.js';
import {readWish, type Wish} from '../read-wish.js';
import {describeTyped} from '../slash/join-commands.js';
import {runSlashLine} from '../slash/run-slash-line.js';

/** A prompt, ready to send. */
interface Ready {
  readonly prompt: Prompted;
  readonly warnings: readonly string[];
}

export default class Chat extends KernelCommand {
  static override summary = 'Start a conversation with a model that works in this directory, or run one prompt.';
  static override description =
    'At a terminal, starts a conversation. With -p, without a terminal, or in CI, runs one prompt without questions ' +
    'and exits.\nStandard input is put before the prompt. A line that names no command is a prompt, so you can ' +
    'omit the word "chat".';
  static override examples = [
    {description: 'Start a conversation in this directory', command: '<%= config.bin %>'},
    {
      description: 'Run one task in a script',
      command: '<%= config.bin %> -p "fix the failing test" --approval-mode auto_edit',
    },
    {
      description: 'Use the output of another program',
      command: 'git diff | <%= config.bin %> -p "write a commit message for this"',
    },
    {
      description: 'Produce JSON for another program',
      command:
        '<%= config.bin %> -p "which licences do the dependencies have?" -o json --output-schema licences.schema.json',
    },
    {
      description: 'Run a prompt file with an argument',
      command: '<%= config.bin %> --max-turns 20 -f review.md main',
    },
    {description: 'Use a local model', command: '<%= config.bin %> -m openai:qwen3-coder'},
  ];
  static override strict = false;
  static override enableJsonFlag = false;
  static override usage = ['[PROMPT] [FLAGS]'];
  static override flags = {
    prompt: Flags.string({
      char: 'p',
      description: 'Run one prompt without interaction, then exit.',
      exclusive: ['prompt-interactive', 'prompt-file'],
    }),
    'prompt-interactive': Flags.string({
      char: 'i',
      description: 'Start a conversation with this prompt.',
      exclusive: ['prompt-file'],
    }),
    'prompt-file': Flags.string({
      char: 'f',
      description: 'Run the prompt in this file, then exit. Words after it are its arguments ($1, $@).',
    }),
    'output-format': Flags.string({
      char: 'o',
      description: 'Output format, without a conversation.',
      options: [...FORMATS],
    }),
    json: Flags.boolean({description: 'Short for --output-format json.', exclusive: ['output-format']}),
    'output-schema': Flags.string({description: 'File with a JSON Schema that the answer must match.'}),
    'max-turns': Flags.string({description: 'Limit the requests to the model; then exit with 53.'}),
    'max-cost': Flags.string({description: 'Limit the cost in US dollars; then exit with 53. Needs model.prices.'}),
    timeout: Flags.string({description: 'Limit the duration (90s, 10m, 1h); then exit with 53.', helpValue: '<time>'}),
    'fail-on-refused': Flags.boolean({description: 'Exit with 56 if a call was refused.'}),
    'raw-output': Flags.boolean({description: 'Print the answer unfiltered, including terminal control sequences.'}),
    'accept-raw-output-risk': Flags.boolean({description: 'Do not warn about --raw-output.'}),
  };

  #format: Format = 'text';
  #opened: Session | undefined;
  readonly #streams = (): Streams => openStreams(this.host, (line) => this.logToStderr(line));

  async run(): Promise<void> {
    const line = await this.readLine();
    const interactive = isConversation(line, this.kernel.environment);
    // This session keeps the place open, with the settings that are read next.
    void this.conversation;
    // From here on, a signal ends the run with its own report.
    const {code, notices} = await enterEnclosure(this.argv, this.kernel, {signal: this.host.signal, interactive});
    if (code !== undefined) return this.host.end(code);
    const settings = (): Promise<Settings> => this.service('settings');
    const {'raw-output': isRaw, 'accept-raw-output-risk': isAccepted} = line.flags;
    if (isRaw && !isAccepted && !interactive)
      this.logToStderr('Warning: with --raw-output, the model can control your terminal.');
    this.#format = await readFormat(line, settings);
    const wish = await readWish(line, this.#format, settings);
    if (interactive && (Object.keys(wish.limits).length > 0 || wish.failOnRefused))
      this.logToStderr('Warning: limits of a run do not apply to a conversation.');
    if (this.argv.length === 0 && (await this.rehearse())) return;
    if (interactive) await this.converse(wish);
    else await this.answer(wish, notices);
  }

  /** The flags, the words besides them, and the prompt file, which takes these words as its arguments. */
  private async readLine() {
    const {flags, argv} = await this.parse(Chat);
    const given = argv as string[];
    const path = flags['prompt-file'];
    if (path === undefined) {
      const words = given.join(' ');
      if (flags.prompt !== undefined && words !== '')
        throw new KernelError('PROMPT_TWICE', 'There are two prompts: one in --prompt, and one in the arguments.', {
          hint: 'Pass only one.',
        });
      return {flags, words, file: undefined};
    }
    if (!isClosed(this.argv)) throw openLine(path);
    const file = await readPromptFile(path, given);
    const {model} = file.flags;
    if (model !== undefined && !('model' in flags)) await this.parse(Chat, [`--model=${model}`, ...this.argv]);
    return {flags, words: '', file};
  }

  /** Shows the tour to a new user without a key. Returns whether it did. */
  private async rehearse(): Promise<boolean> {
    const failure = await (await this.service('agent')).check();
    if (failure?.kind !== 'auth' || !this.host.catalog.commands.has('tour')) return false;
    const {code} = await this.host.run(['tour'], {directory: this.kernel.environment.cwd, show: true});
    this.log(`\n${failure.message} ${failure.hint ?? ''}`.trimEnd());
    this.host.end(code);
    return true;
  }

  /** One prompt, then the end. */
  private async answer(wish: Wish, early: readonly SentNotice[]): Promise<void> {
    const {output, signal, catalog} = this.host;
    const stop = createStop({signal, output, timeoutMs: wish.limits.timeoutMs});
    try {
      const session = await orStopped(this.openUnattended(), stop.signal);
      const run = await orStopped(this.prepare(wish, stop.signal), stop.signal);
      const command = wish.isFile
        ? undefined
        : await orStopped(this.runSlash(session, run.prompt, stop.signal), stop.signal);
      if (command === 'done') return;
      const agent = await orStopped(session.service('agent'), stop.signal);
      const notices = await session.service('run-notices');
      for (const one of early) await notices.add(one);
      const report = reports[wish.format](this.#streams(), {raw: wish.raw});
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
    const {text, warning} = await readPrompt({input: this.host.input, given: wish.prompt, signal});
    if (warning) this.logToStderr(`Warning: ${warning}`);
    const {schema} = wish;
    const answer = schema === undefined ? undefined : await readSchema(resolve(this.kernel.environment.cwd, schema));
    return {warnings: warning ? [warning] : [], prompt: {text, limits: wish.limits, ...(answer ? {answer} : {})}};
  }

  private async openUnattended(): Promise<Session> {
    const conversations = await this.service('conversations');
    const {id} = await conversations.open({interactive: false});
    return (this.#opened = await conversations.session(id));
  }

  /** Programs find every failure on standard output, in the format that they chose. */
  protected override async catch(error: Error): Promise<unknown> {
    const described = this.host.describe(error);
    if (this.#format === 'text' || !described) return super.catch(error);
    const {exit, ...failure} = described;
    const sessionId = this.#opened?.info.id ?? '';
    reports[this.#format](this.#streams(), {raw: false}).fail({sessionId, error: failure, exit});
    return this.host.end(exit);
  }

  private runSlash(session: Session, prompt: Prompted, signal: AbortSignal) {
    const end = this.#format === 'text' ? [] : ['--json'];
    return runSlashLine(session, prompt, signal, (words) =>
      this.host.slash([...words, ...end], {kernel: this.kernel, session}),
    );
  }

  /** A conversation with the person at the terminal. */
  private async converse({prompt}: Wish): Promise<void> {
    const {signal, catalog, input, output, colour} = this.host;
    // At a terminal, both have the types of the contract.
    const terminal = {input, output} as Terminal;
    const directory = this.kernel.environment.cwd;
    const name = await chooseInterface({catalog, terminal, service: (one) => this.service(one)});
    const asking = {ask: (form: Form) => this.ask(form), say: (line: string) => this.log(line)};
    await askForTrust({
      ...asking,
      trust: await this.service('trust'),
      wants: await readWanted(this.kernel.environment, await this.service('config-files')),
    });
    const conversations = await this.service('conversations');
    const {id} = await conversations.open({interactive: true});
    const left = new AbortController();
    try {
      const session = await conversations.session(id);
      await askForDirectories(await session.service('workspace'), asking);
      const agent = await session.service('agent');
      const settings = await this.service('settings');
      const about = {mode: session.info.mode, version: this.config.version, directory, agent, settings};
      const said = await greet({...about, style: (style, text) => this.style(style, text)});
      for (const line of said) this.log(line);
      void lookForUpdate({
        ...{host: this.host, environment: this.kernel.environment, settings, signal: left.signal},
        isPublished: (this.config.pjson as {private?: unknown}).private !== true,
        show: async (update) => (await (await conversations.session(id)).service('update-notice')).show(update),
      });
      const owner = catalog.services.get(name)?.plugin;
      const ui = await this.service(name);
      await ui.converse({
        ...{...terminal, conversation: id, conversations, signal, colour, commands: catalog.typed.map(describeTyped)},
        service: async (service) => (await conversations.session(id)).service(service, owner),
        slash: async (words, printed) =>
          this.host.slash(words, {kernel: this.kernel, session: await conversations.session(id)}, printed),
        said,
        ...(prompt === undefined ? {} : {prompt}),
      });
    } finally {
      left.abort();
      await conversations.close(id);
    }
  }
}
