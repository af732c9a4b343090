import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {PlaceIsolation} from '../place-isolation.js';

/** Runs the installed plugins of a place in processes of their own. */
export default provide('isolation', {
  version: '1.1.0',
  scope: 'place',
  reserved: true,
  local: ['contribute', 'grant', 'isGranted'],
  methods: ['mode', 'records', 'state'],
  create: (context) => new PlaceIsolation(context),
  async describe(isolation) {
    const all = await isolation.state();
    if (all.length === 0) return 'no installed plugin runs in a process of its own';
    return all
      .map(({plugin, state, starts, deaths}) => `${plugin}: ${state}, started ${starts}, died ${deaths}`)
      .join('; ');
  },
  dispose: (isolation) => (isolation as PlaceIsolation).close(),
});
