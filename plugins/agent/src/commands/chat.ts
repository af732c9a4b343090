import {resolve} from 'node:path';
import {readText} from '@gemini-kernel/files';
import {KernelError, makeVisible, messageOf} from '@gemini-kernel/kernel';
import {findViolations, type Session} from '@gemini-kernel/kernel/host';
import {KernelCommand} from '@gemini-kernel/kernel/oclif';
import {Flags} from '@oclif/core';
import type {Agent, SlashCommand} from '../contract.js';
import {readInput} from '../headless/read-input.js';
import {askedFormat} from '../headless/asked-format.js';
import {PlainText} from '../headless/plain-text.js';
import type {Streams} from '../headless/report.js';
import {reports, runHeadless, type Format} from '../headless/run-headless.js';
import {askForDirectories, askForTrust} from '../ask-for-trust.js';
import {readWanted} from '../read-wanted.js';
import {findSlash} from '../slash-line.js';

const FORMATS = ['text', 'json', 'stream-json'] as const;

interface Wish {
  readonly prompt: string | undefined;
  readonly interactive: boolean;
  readonly format: Format;
  readonly raw: boolean;
  readonly schema: string | undefined;
}

export default class Chat extends KernelCommand {
  static override summary = 'Talk with a model that reads, edits and runs things here, or give it one task.';
  static override description = `At a terminal, a conversation. With -p, without a terminal, or in CI: one prompt, then the end, and no questions.
What comes on standard input is put before the prompt. A line that names no command is a prompt too, so the word "chat" can be left out.`;
  static override examples = [
    {description: 'A conversation here', command: '<%= config.bin %>'},
    {description: 'One task, for a script', command: '<%= config.bin %> -p "fix the failing test" --approval-mode auto_edit'},
    {description: 'With what another program printed', command: 'git diff | <%= config.bin %> -p "write a commit message for this"'},
    {description: 'For another program', command: '<%= config.bin %> -p "which licences do the dependencies have?" -o json --output-schema licences.schema.json'},
    {description: 'A local model', command: '<%= config.bin %> -m openai:qwen3-coder'},
  ];
  static override strict = false;
  static override enableJsonFlag = false;
  static override usage = ['[PROMPT] [FLAGS]'];
  static override flags = {
    prompt: Flags.string({char: 'p', description: 'Deal with this prompt and end; nobody is asked anything.', exclusive: ['prompt-interactive']}),
    'prompt-interactive': Flags.string({char: 'i', description: 'Begin the conversation with this prompt.'}),
    'output-format': Flags.string({char: 'o', description: 'Without a conversation: what is printed.', options: [...FORMATS]}),
    json: Flags.boolean({description: 'Short for --output-format json.', exclusive: ['output-format']}),
    'output-schema': Flags.string({description: 'A file with a JSON Schema that the answer must match.'}),
    'raw-output': Flags.boolean({description: 'Print what the model says as it is, terminal control included.'}),
    'accept-raw-output-risk': Flags.boolean({description: 'Do not warn of --raw-output.'}),
  };

  #format: Format = 'text';
  #opened: Session | undefined;

  async run(): Promise<void> {
    const {flags, argv} = await this.parse(Chat);
    const words = (argv as string[]).join(' ');
    if (flags.prompt !== undefined && words !== '') throw new KernelError('PROMPT_TWICE', 'There is a prompt in --prompt and another one beside it.', {hint: 'Give one of them.'});
    const isAtTerminal = this.kernel.environment.interactive && this.kernel.environment.variables['GITHUB_ACTIONS'] !== 'true';
    const interactive = flags['prompt-interactive'] !== undefined || (isAtTerminal && flags.prompt === undefined);
    if (flags['prompt-interactive'] !== undefined && !isAtTerminal) throw new KernelError('TERMINAL_NEEDED', '--prompt-interactive needs a terminal to talk at.', {hint: 'Use --prompt where there is none.'});
    if (flags['raw-output'] && !flags['accept-raw-output-risk'] && !interactive) this.logToStderr('Warning: with --raw-output a model can make the terminal do things.');
    const wish: Wish = {
      prompt: flags.prompt ?? flags['prompt-interactive'] ?? (words === '' ? undefined : words),
      interactive,
      format: flags.json ? 'json' : ((flags['output-format'] as Format | undefined) ?? (await this.readFormat())),
      raw: flags['raw-output'] || flags['accept-raw-output-risk'],
      schema: flags['output-schema'],
    };
    if (this.argv.length === 0 && (await this.rehearse())) return;
    if (interactive) await this.converse(wish);
    else await this.answer(wish);
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

  private async readFormat(): Promise<Format> {
    const value = await (await this.service('settings')).get('output.format');
    return FORMATS.find((format) => format === value) ?? 'text';
  }

  /** One prompt, then the end. */
  private async answer(wish: Wish): Promise<void> {
    const closed = new AbortController();
    const {output, signal} = this.host;
    // Whoever read our output has left; there is nobody to go on for.
    output.once('error', () => closed.abort(new Error('The output was closed.')));
    this.#format = wish.format;
    const session = (this.#opened = this.kernel.open({live: true, interactive: false}));
    const prompt = await this.readPrompt(wish, signal);
    const answer = wish.schema === undefined ? undefined : await this.readSchema(wish.schema);
    await session.announce();
    if (await this.runSlash(session, prompt)) return;
    const agent = await session.service('agent');
    const either = AbortSignal.any([signal, closed.signal]);
    const report = reports[wish.format](this.streams(), {raw: wish.raw});
    const exit = await runHeadless({agent, report, prompt, answer, sessionId: session.info.id, signal: either, exitCodeOf: (code) => this.host.catalog.exitCodeOf(code)});
    signal.throwIfAborted();
    this.host.end(closed.signal.aborted ? 0 : exit);
  }

  private streams(): Streams {
    const plain = new PlainText();
    return {out: (text) => void this.host.output.write(this.host.terminal ? makeVisible(text) : text), err: (line) => this.logToStderr(plain.push(line) + plain.end())};
  }

  /** Programs find every failure on standard output, in the format that they asked for. */
  protected override async catch(error: Error): Promise<unknown> {
    const format = this.#format === 'text' ? askedFormat(this.argv) : this.#format;
    const described = this.host.describe(error);
    if (format === undefined || !described) return super.catch(error);
    const {exit, ...failure} = described;
    reports[format](this.streams(), {raw: false}).fail({sessionId: this.#opened?.info.id ?? '', error: failure, exit});
    return this.host.end(exit);
  }

  private async readPrompt({prompt = ''}: Wish, signal: AbortSignal): Promise<string> {
    const isPiped = (this.host.input as Partial<NodeJS.ReadStream>).isTTY !== true;
    const {text, warning} = isPiped ? await readInput(this.host.input, signal) : {text: ''};
    if (warning) this.logToStderr(`Warning: ${warning}`);
    const whole = [text, prompt].filter((part) => part.trim() !== '').join('\n\n');
    if (whole === '') throw new KernelError('PROMPT_EMPTY', 'There is no prompt: none was given, and nothing came on standard input.', {hint: 'Give one with -p "…", or run gemini at a terminal.'});
    return whole;
  }

  private async readSchema(path: string): Promise<Readonly<Record<string, unknown>>> {
    const file = resolve(this.kernel.environment.cwd, path);
    try {
      const schema = JSON.parse((await readText(file)).replace(/^\uFEFF/, '')) as Record<string, unknown>;
      if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('It is not an object.');
      await findViolations(schema, null, 'it');
      return schema;
    } catch (cause) {
      throw new KernelError('SCHEMA_UNREADABLE', `Cannot use ${file} as a JSON Schema: ${messageOf(cause)}`, {cause, hint: 'Give a file that holds a JSON Schema as an object.'});
    }
  }

  /** A prompt that is a slash command runs as one; says whether it was. */
  private async runSlash(session: Session, prompt: string): Promise<boolean> {
    const words = findSlash(prompt, this.commands());
    if (!words) return false;
    await this.host.slash(this.#format === 'text' ? words : [...words, '--json'], {kernel: this.kernel, session});
    return true;
  }

  private commands(): readonly SlashCommand[] {
    const typed = [...this.host.catalog.commands].filter(([id, {slash}]) => slash && !id.startsWith('--'));
    return typed.map(([name, {id, summary}]) => ({words: name.replace(/^\//, '').split(':'), summary, ...(name === id ? {} : {aliasOf: id.split(':')})}));
  }

  /** Who will answer, what may run unasked, and where. */
  private async greet({info}: Session, agent: Agent): Promise<void> {
    if ((await (await this.service('settings')).get('ui.hideBanner')) === true) return;
    const {model} = await agent.model();
    this.log(this.style('dim', `gemini ${this.config.version} · ${model} · mode ${info.mode} · ${this.kernel.environment.cwd}`));
  }

  /** A conversation with the person at the terminal. */
  private async converse({prompt}: Wish): Promise<void> {
    const {signal, catalog, input, output, colour} = this.host;
    const names = [...catalog.services.keys()].filter((name) => name.startsWith('ui:'));
    const wanted = await (await this.service('settings')).get('ui.interface');
    const name = names.find((one) => one === `ui:${String(wanted)}`) ?? names[0];
    if (name === undefined) throw new KernelError('UI_MISSING', 'No installed plugin talks with people.', {hint: 'Install one that provides ui:…, or use --prompt.'});
    const asking = {ask: (question: string) => this.host.ask(question), say: (line: string) => this.log(line)};
    await askForTrust({...asking, trust: await this.service('trust'), wants: await readWanted(this.kernel.environment, await this.service('config-files'))});
    const session = this.kernel.open({live: true, interactive: true});
    await session.announce();
    await askForDirectories(await session.service('workspace'), asking);
    const agent: Agent = await session.service('agent');
    await this.greet(session, agent);
    const failure = await agent.check();
    if (failure) this.log(`${this.style('warn', failure.message)} ${failure.hint ?? ''}`.trimEnd());
    const ui = await session.service(name as `ui:${string}`);
    await ui.converse({
      agent,
      signal,
      colour,
      commands: this.commands(),
      // At a terminal both are what the contract says.
      input: input as NodeJS.ReadStream,
      output: output as NodeJS.WriteStream,
      slash: (words) => this.host.slash(words, {kernel: this.kernel, session}),
      ...(prompt === undefined ? {} : {prompt}),
    });
  }
}
