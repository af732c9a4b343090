import type {Environment} from '@gemini-kernel/kernel';
import {ProcessGroups} from '@gemini-kernel/processes';
import type {QueueEngine} from '../contract.js';
import {fleetGit} from '../repositories/fleet-git.js';
import {Mirrors} from '../repositories/mirrors.js';
import {EffectJournal, type EffectRecord} from './effect-journal.js';
import {Outbox, type OutboxParts} from './outbox.js';

interface Sending extends Pick<OutboxParts, 'effects' | 'folder' | 'signal' | 'onEffect'> {
  readonly engine: QueueEngine;
  readonly address: string;
  readonly environment: Pick<Environment, 'variables' | 'platform'>;
  readonly mirrors: string;
}

const PIECE = 200;

/** Does the effects of all tasks that are done. Those that were done before are not done again. */
export async function sendPlanned(sending: Sending): Promise<readonly EffectRecord[]> {
  const {engine, address, folder, environment, signal, effects, onEffect} = sending;
  const groups = new ProcessGroups(environment.platform);
  const git = fleetGit(environment, signal);
  const journal = await EffectJournal.open(folder);
  const seen: EffectRecord[] = [];
  const outbox = new Outbox({
    ...{journal, effects, git, groups, environment, folder, signal},
    mirrors: new Mirrors(sending.mirrors, git, signal),
    onEffect(record) {
      seen.push(record);
      onEffect(record);
    },
  });
  try {
    for (let after: string | undefined; ;) {
      const more = after === undefined ? {} : {after};
      const items = await engine.list(address, {states: ['done'], most: PIECE, ...more});
      for (const item of items) await outbox.send(item);
      after = items.at(-1)?.task.id;
      if (items.length < PIECE) return seen;
    }
  } finally {
    groups.close();
    await journal.close();
  }
}
