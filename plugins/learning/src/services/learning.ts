import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-secrets/contract';
import type {Learning} from '../contract.js';
import {LiveLearning} from '../extraction/live-learning.js';

/** Learns from old sessions of the project, in the background or when it is asked to. */
export default provide('learning', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:write',
  methods: ['follow', 'now', 'preview', 'status'],
  create: (context): Learning => new LiveLearning(context),
});
