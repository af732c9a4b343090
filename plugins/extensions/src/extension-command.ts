import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {ExtensionSource} from './contract.js';
import {judgeSource, readSourceRules} from './installed/judge-extensions.js';
import {openLock} from './live-extensions.js';
import type {ExtensionLock} from './store/extension-lock.js';
import {PipedAnswers} from './store/piped-answers.js';
import {installExtension, type Installation, type Installed, type Means} from './store/install-extension.js';

interface Wanted extends Pick<Installation, 'autoUpdate' | 'name'> {
  readonly isAgreed: boolean;
  /** Whether a repository of GitHub is asked for releases first. */
  readonly isReleaseFirst?: boolean;
}

/** A command that changes which extensions there are. */
export abstract class ExtensionCommand extends KernelCommand {
  #answers: PipedAnswers | undefined;

  protected async lock(): Promise<ExtensionLock> {
    return openLock({service: (name) => this.service(name)});
  }

  /** What every change of what is installed needs. */
  protected async installing(
    isFirst = false,
  ): Promise<Pick<Installation, 'builds' | 'environment' | 'judge' | 'lock' | 'releases' | 'signal' | 'tell'>> {
    const settings = await this.service('settings');
    const {services} = this.host.catalog;
    const tell = (sentence: string): void => this.logToStderr(sentence);
    return {
      ...(services.has('builds') ? {builds: await this.service('builds')} : {}),
      ...(services.has('network') ? {releases: {network: await this.service('network'), isFirst, tell}} : {}),
      tell,
      lock: await this.lock(),
      environment: this.kernel.environment,
      signal: this.host.signal,
      async judge(name, source) {
        const refused = judgeSource({name, source}, await readSourceRules(settings));
        if (refused) throw new KernelError('EXTENSION_REFUSED', refused.sentence);
      },
    };
  }

  /** A line of a script that pipes its answers; a terminal that may not be asked gives none. */
  async #readAnswer(question: string): Promise<boolean | undefined> {
    const {input, signal} = this.host;
    if (this.jsonEnabled() || (input as Partial<NodeJS.ReadStream>).isTTY === true) return undefined;
    this.logToStderr(question);
    const line = await (this.#answers ??= new PipedAnswers(input)).next(signal);
    return line === undefined ? undefined : /^y(?:es)?$/i.test(line);
  }

  protected override async finally(): Promise<void> {
    this.#answers?.close();
    await super.finally();
  }

  /** Installs from a source, with the person's consent. */
  protected async install(source: ExtensionSource, {isAgreed, isReleaseFirst, ...wanted}: Wanted): Promise<Installed> {
    if ((await (await this.service('settings')).getApart('plugins.frozen')) === true)
      throw new KernelError('EXTENSION_REFUSED', 'With --frozen nothing is installed: only what is locked is used.', {
        hint: 'Leave out --frozen, or set plugins.frozen to false.',
      });
    const means: Means = {
      isAgreed,
      ask: (form) => this.ask(form),
      read: (question) => this.#readAnswer(question),
      show: (lines) => {
        for (const line of lines) this.logToStderr(line);
      },
    };
    const isFetched = ['git', 'github-release', 'npm'].includes(source.type);
    if (isFetched && !this.jsonEnabled()) this.logToStderr(`Fetching ${source.location} …`);
    return installExtension({...(await this.installing(isReleaseFirst)), source, means, ...wanted});
  }

  protected tellInstalled({name, version, before, isSame}: Installed): void {
    if (isSame) this.log(`${name} ${version} is installed already.`);
    else this.log(before === undefined ? `${name} ${version} is installed.` : `${name} ${before} is now ${version}.`);
  }
}
