import {provide} from '@gemini-kernel/kernel';
import type {Telemetry} from '../contract.js';
import {LiveTelemetry} from '../live-telemetry.js';

/** Records what happens in sessions, and sends it where the person wants it. */
export default provide('telemetry', {
  version: '1.1.0',
  scope: 'place',
  capability: 'net',
  reserved: true,
  methods: ['tell', 'parentFor', 'parentOfWork', 'tellWork', 'status', 'check'],
  create: (context): Telemetry => new LiveTelemetry(context),
  dispose: (telemetry) => (telemetry as LiveTelemetry).close(),
});
