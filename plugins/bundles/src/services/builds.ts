import {provide} from '@gemini-kernel/kernel';
import {LiveBuilds} from '../install/fetch/provenance/live-builds.js';

/** Proves where packages of npm were built, for other plugins that install them. */
export default provide('builds', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  methods: ['prove'],
  create: (context) => new LiveBuilds(context),
});
