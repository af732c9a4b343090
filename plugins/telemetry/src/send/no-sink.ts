import type {Sink} from '../record/records.js';

/** For metrics that are only asked for. */
export const noSink: Sink = {
  name: 'nothing',
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
