import {defineHook} from '@gemini-kernel/kernel';
import type {} from '../contract.js';

/** Asked before the project's settings file is read. What is not allowed is as if the file were not there. */
export default defineHook('settings:project', {
  kind: 'gate',
  description: 'May the settings that a project brings count?',
  unanswered: {decision: 'allow', reason: 'Nothing here tells folders that are trusted from others.'},
});
