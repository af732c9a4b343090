import {provide, type SentNotice} from '@gemini-kernel/kernel';
import type {RunNotices} from '../notices.js';

/** Holds notices until the report of a headless run begins. */
export default provide('run-notices', {
  version: '1.1.0',
  scope: 'session',
  local: ['follow'],
  methods: ['add', 'take'],
  create(): RunNotices {
    const early: SentNotice[] = [];
    let report: ((notice: SentNotice) => void) | undefined;
    return {
      async add(notice) {
        if (report) report(notice);
        else early.push(notice);
        return report !== undefined;
      },
      take: async () => early.splice(0),
      follow(next) {
        report = next;
        return early.splice(0);
      },
    };
  },
});
