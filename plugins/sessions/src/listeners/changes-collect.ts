import {listen} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import {readCheckpoints} from '../checkpoint-log.js';
import type {} from '../contract.js';
import {isSameState} from '../file-state.js';

/** Files that calls changed, commands included, according to the checkpoints. */
export default listen('changes:collect', {
  async run({calls}, {service, session}) {
    const place = session.live ? await (await service('recording')).place() : undefined;
    if (!place) return [];
    // A model may answer before the changes of the last command are written down.
    await (await service('checkpoints')).settled();
    const wanted = new Set(calls);
    const records = (await readCheckpoints(place.folder)).filter(({id}) => wanted.has(id));
    return records.flatMap(({before, after = []}) =>
      before.flatMap(({path, state}, index) => {
        const now = after[index]?.state;
        return now && isSameState(state, now) ? [] : [path];
      }),
    );
  },
});
