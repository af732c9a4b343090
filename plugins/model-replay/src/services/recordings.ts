import {appendFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {KernelError, messageOf, provide} from '@gemini-kernel/kernel';
import type {ModelEvent} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Recordings} from '../contract.js';
import {readRecording, type RecordedAnswer} from '../recording.js';
import {REHEARSAL, rehearsal} from '../rehearsal.js';

/** Recordings, each with how far it has been played. */
export default provide('recordings', {
  version: '1.0.0',
  scope: 'place',
  methods: ['next', 'given', 'wanted', 'keep'],
  create({environment, service}): Recordings {
    const open = new Map<string, Promise<readonly (readonly ModelEvent[])[]>>();
    const played = new Map<string, number>();
    let pieces: ModelEvent[] = [];
    let settled: ReturnType<Recordings['wanted']> | undefined;
    const answersOf = (name: string): Promise<readonly (readonly ModelEvent[])[]> => {
      const known =
        open.get(name) ??
        (name === REHEARSAL ? Promise.resolve(rehearsal) : readRecording(resolve(environment.cwd, name)));
      open.set(name, known);
      return known;
    };
    const wanted: Recordings['wanted'] = async () => {
      const settings = await service('settings');
      const [replay, record] = await Promise.all(
        ['model.fakeResponses', 'model.recordResponses'].map((key) => settings.getApart(key)),
      );
      const file = typeof record === 'string' && record !== '' ? resolve(environment.cwd, record) : undefined;
      // Report an unwritable file before a model is asked.
      if (file !== undefined) await write(file, '');
      return {
        ...(typeof replay === 'string' && replay !== '' ? {replay} : {}),
        ...(file === undefined ? {} : {record: file}),
      };
    };
    return {
      async next(name) {
        const answers = await answersOf(name);
        const at = played.get(name) ?? 0;
        played.set(name, at + 1);
        return answers[at];
      },
      given: async (name) => Math.min(played.get(name) ?? 0, (await answersOf(name)).length),
      wanted: () => (settled ??= wanted()),
      async keep(model, event) {
        const {record} = await (settled ??= wanted());
        if (!record) return;
        pieces.push(event);
        if (event.kind !== 'end' && event.kind !== 'failed') return;
        const answer: RecordedAnswer = {method: 'stream', model, response: pieces};
        pieces = [];
        await write(record, `${JSON.stringify(answer)}\n`);
      },
    };
  },
});

async function write(file: string, text: string): Promise<void> {
  await appendFile(file, text).catch((cause: unknown) => {
    throw new KernelError('RECORDING_UNWRITABLE', `Cannot record to ${file}: ${messageOf(cause)}`, {
      cause,
      hint: 'Choose a file in an existing folder.',
    });
  });
}
