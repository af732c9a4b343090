import {provide} from '@gemini-kernel/kernel';
import {LiveCatalogs} from '../catalog/live-catalogs.js';

/** Finds plugins and extensions in catalogs and by npm. */
export default provide('catalogs', {
  version: '1.0.0',
  scope: 'place',
  reserved: true,
  methods: ['list', 'find', 'describe'],
  create: (context) => new LiveCatalogs(context),
});
