import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import {Flags} from '@oclif/core';
import type {TelemetryStatus as Status} from '../../contract.js';

export default class TelemetryStatus extends KernelCommand {
  static override summary = 'Show whether telemetry is on, where it goes and what it includes.';
  static override description =
    'Telemetry is off until you switch it on, and goes only where you say. Nothing is sent to the makers of gemini.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --check',
    '<%= config.bin %> settings set telemetry.enabled true',
  ];
  static override flags = {
    check: Flags.boolean({description: 'Send one record, and say whether it arrives.'}),
  };
  static override slash = true;

  async run(): Promise<Status> {
    const {flags} = await this.parse(TelemetryStatus);
    const telemetry = await this.service('telemetry');
    if (flags.check) await this.#check();
    const status = await telemetry.status();
    this.#show(status);
    return status;
  }

  async #check(): Promise<void> {
    const {isOn, to, project} = await (await this.service('telemetry')).status();
    if (!isOn)
      throw new KernelError('TELEMETRY_OFF', 'Telemetry is off.', {
        hint: 'Switch it on: gemini settings set telemetry.enabled true',
      });
    const failure = to === undefined ? 'There is no address.' : await (await this.service('telemetry')).check();
    if (failure !== undefined)
      throw new KernelError(
        'TELEMETRY_UNREACHABLE',
        to === undefined ? failure : `Nothing arrives at ${to}. ${failure}`,
        {
          hint:
            project === undefined
              ? 'Check telemetry.otlpEndpoint and telemetry.otlpProtocol, and whether the collector runs.'
              : `Check that the Telemetry API is enabled in ${project}, and that your account may write there.`,
        },
      );
    this.log(`A record arrived at ${to ?? ''}.\n`);
  }

  #show({isOn, to, protocol, project, withPrompts, withTraces, prometheus, faults, ...counts}: Status): void {
    if (!isOn) {
      this.log('Telemetry is off: nothing is recorded.');
      this.log(this.style('dim', 'gemini settings set telemetry.enabled true switches it on.'));
      return this.#showFaults(faults);
    }
    this.log(`Telemetry is on${to === undefined ? '.' : `, and goes to ${to} (${project ?? protocol}).`}`);
    if (prometheus !== undefined) this.log(`Prometheus finds metrics at ${prometheus} while a session runs.`);
    const texts = withPrompts ? 'included, without secrets' : 'not included';
    this.log(`Prompts and the input of tools: ${texts} (telemetry.logPrompts).`);
    const messages = withTraces ? 'included, without secrets' : 'not included';
    this.log(`Messages in spans: ${messages} (telemetry.traces).`);
    const {sent, waiting, dropped, failure} = counts;
    if (sent + waiting + dropped > 0) this.log(`Records: ${sent} sent, ${waiting} waiting, ${dropped} dropped.`);
    if (failure !== undefined) this.#warn(failure);
    this.#showFaults(faults);
  }

  #warn(sentence: string): void {
    this.logToStderr(this.style('warn', `Warning: ${sentence}`));
  }

  #showFaults(faults: readonly string[]): void {
    for (const fault of faults) this.#warn(fault);
  }
}
