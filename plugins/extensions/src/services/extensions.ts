import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveExtensions} from '../live-extensions.js';

/** The extensions of Gemini CLI that are installed here. */
export default provide('extensions', {
  version: '1.0.0',
  scope: 'place',
  methods: ['list', 'active'],
  create: (context) => new LiveExtensions(context),
});
