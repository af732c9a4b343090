import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-agent/contract';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {} from '@gemini-kernel/plugin-workspace/contract';
import type {Plans} from '../contract.js';
import {LivePlans} from '../live-plans.js';

/** The plans of a session. */
export default provide('plans', {
  version: '1.1.0',
  scope: 'session',
  methods: ['folder', 'isInProject', 'list', 'read', 'approved', 'enter', 'present', 'finish', 'route'],
  async create(context): Promise<Plans> {
    return new LivePlans({
      context,
      settings: await context.service('settings'),
      project: await context.service('project'),
    });
  },
});
