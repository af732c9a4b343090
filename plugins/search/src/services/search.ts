import {provide} from '@gemini-kernel/kernel';
import type {} from '../contract.js';
import {LiveSearch} from '../live-search.js';

export default provide('search', {
  version: '1.0.0',
  scope: 'session',
  capability: 'fs:read',
  methods: ['info', 'places', 'list', 'match'],
  create: (context) => new LiveSearch(context),
});
