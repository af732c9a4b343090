import {Args} from '@oclif/core';
import {KernelCommand} from '@gemini-kernel/command';
import {hasBrowser, openBrowser} from '@gemini-kernel/processes';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '../../contract.js';
import {aboutOf} from '../../report/about.js';
import {composeReport} from '../../report/compose-report.js';
import {ADDRESS_SETTING, reportAddress} from '../../report/report-address.js';

interface BugReport {
  readonly title: string;
  readonly report: string;
  /** Where it can be reported; null: no address is set. */
  readonly address: string | null;
  readonly isOpened: boolean;
}

/** Composes a report of a problem. */
export default class DoctorReport extends KernelCommand {
  static override summary = 'Compose a report of a problem, and open the page to send it.';
  static override description =
    'The report has versions, the system, the terminal, plugins and settings: of settings only switches, numbers ' +
    'and words of a fixed list, of all others that they are set. Prompts, answers and names of files are not in it. ' +
    'It is shown first, and nothing is sent before you do it in the browser. ' +
    `${ADDRESS_SETTING} of your settings is the address that opens.`;
  static override examples = [
    '<%= config.bin %> <%= command.id %> "The footer shows the wrong branch"',
    '<%= config.bin %> <%= command.id %> --json',
  ];
  static override args = {
    title: Args.string({description: 'The problem in a few words.', multiple: true, ignoreStdin: true}),
  };
  static override aliases = ['/bug'];
  static override slash = true;

  async run(): Promise<BugReport> {
    const {args} = await this.parse(DoctorReport);
    const {environment} = this.kernel;
    const settings = await this.service('settings');
    // oclif types what can be given several times as one.
    const title = await this.#clean([args.title ?? []].flat().join(' ').trim());
    const report = await this.#compose();
    const template = await settings.getApart(ADDRESS_SETTING);
    const address =
      typeof template === 'string' && template !== '' ? reportAddress(template, {title, info: report}) : undefined;
    if (title !== '') this.log(`${this.style('strong', title)}\n`);
    this.print(report);
    this.log('');
    if (!address) {
      this.log(`No address to report to is set. Paste this there, or set ${ADDRESS_SETTING}.`);
      return {title, report, address: null, isOpened: false};
    }
    const isOpened =
      hasBrowser(environment) && (await this.#agree(address)) && (await openBrowser(address, environment));
    this.log(isOpened ? 'Opened in your browser. Nothing is sent before you send it there.' : 'Report it at:');
    if (!isOpened) this.log(address.href);
    return {title, report, address: address.href, isOpened};
  }

  async #compose(): Promise<string> {
    const {environment} = this.kernel;
    const {version, arch} = this.config;
    const settings = await this.service('settings');
    const [{model}, set, schema] = await Promise.all([
      this.service('agent').then((agent) => agent.model()),
      settings.list(),
      settings.schema(),
    ]);
    const {plugins, refused} = this.host.catalog;
    const about = aboutOf({version, arch, model, mode: this.session.mode, environment});
    return this.#clean(composeReport({about, plugins, leftOut: refused, settings: set, schema}));
  }

  /** Without values that are secret. */
  async #clean(text: string): Promise<string> {
    if (!this.host.catalog.services.has('secrets')) return text;
    return (await (await this.service('secrets')).redact(text)).text;
  }

  async #agree(address: URL): Promise<boolean> {
    const answer = await this.ask({
      title: 'Open the page to report this?',
      text: `It is on ${address.host}, and gets the text above.`,
      about: {kind: 'bug-report', url: address.href},
      fields: [{name: 'open', label: 'Open it in your browser?', kind: 'yes-no', default: true}],
    });
    return answer.outcome === 'answered' && answer.values['open'] === true;
  }
}
