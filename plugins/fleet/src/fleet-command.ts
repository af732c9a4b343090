import {KernelCommand} from '@gemini-kernel/command';
import {KernelError} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Telemetry} from '@gemini-kernel/plugin-telemetry/contract';
import type {QueueEngine, QueueItem} from './contract.js';
import {engineOf, shownAddress} from './fleets/engine-of.js';
import {Fleets, type Fleet} from './fleets/fleets.js';

/** The queue of a fleet, for a command. */
export interface Opened {
  readonly engine: QueueEngine;
  readonly address: string;
}

/** What commands of fleets share. */
export abstract class FleetCommand extends KernelCommand {
  #fleets: Promise<Fleets> | undefined;

  protected get fleets(): Promise<Fleets> {
    return (this.#fleets ??= Fleets.open(this.kernel.environment.home));
  }

  /** The queue at an address, or in a folder. Throws KernelError QUEUE_ABSENT where no plugin offers its engine. */
  protected async open(address: string): Promise<Opened> {
    const name = engineOf(address) ?? 'queue:local';
    if (!this.host.catalog.services.has(name))
      throw new KernelError('QUEUE_ABSENT', `No plugin offers a queue at ${shownAddress(address)}.`, {
        hint:
          name === 'queue:bullmq'
            ? 'The plugin fleet-bullmq does. Run: gemini plugins install @gemini-plugins/fleet-bullmq'
            : 'Use postgres://, redis://, or leave the address out.',
      });
    return {engine: await this.service(name as 'queue:local'), address};
  }

  /** The prices of models that are set; undefined without a plugin for settings. */
  protected async prices(): Promise<Readonly<Record<string, unknown>> | undefined> {
    if (!this.host.catalog.services.has('settings')) return undefined;
    const prices = await (await this.service('settings')).get('model.prices');
    return typeof prices === 'object' && prices !== null ? (prices as Record<string, unknown>) : {};
  }

  /** The service that records spans of tasks; undefined without a plugin for it. */
  protected async telemetry(): Promise<Telemetry | undefined> {
    return this.host.catalog.services.has('telemetry') ? this.service('telemetry') : undefined;
  }

  protected async openFleet(name: string | undefined): Promise<Opened & {readonly fleet: Fleet}> {
    const fleets = await this.fleets;
    const fleet = await fleets.find(name);
    return {fleet, ...(await this.open(fleet.address ?? fleets.folderOf(fleet.name)))};
  }

  /** The whole ids of tasks, of which the beginning is enough. Throws KernelError FLEET_UNKNOWN. */
  protected async idsOf({engine, address}: Opened, given: readonly string[]): Promise<readonly string[]> {
    return (await this.itemsOf({engine, address}, given)).map(({task: {id}}) => id);
  }

  protected async itemsOf({engine, address}: Opened, given: readonly string[]): Promise<readonly QueueItem[]> {
    const items = await engine.list(address, {});
    return given.map((part) => {
      const found = items.filter(({task: {id}}) => id.startsWith(part));
      const [item] = found;
      if (item && found.length === 1) return item;
      const shown = JSON.stringify(part.slice(0, 80));
      throw new KernelError(
        'FLEET_UNKNOWN',
        found.length === 0 ? `There is no task ${shown}.` : `${found.length} tasks begin with ${shown}.`,
        {hint: 'gemini fleet results shows the tasks with their ids.'},
      );
    });
  }
}
